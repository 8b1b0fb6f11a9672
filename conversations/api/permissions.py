"""Roles: every view says in `roles` who may use which method; a view that says nothing lets nobody in."""

from collections.abc import Mapping

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

Roles = Mapping[str, frozenset[str]]


class RolePermission(BasePermission):
    def has_permission(self, request: Request, view: object) -> bool:
        if request.auth is None:
            return False
        if not hasattr(view, str(request.method).lower()):
            return True  # DRF answers 405 right after this
        roles: Roles = getattr(view, "roles", {})
        if request.method == "OPTIONS":  # what may be asked here is told to whoever may ask anything
            return any(request.auth.role in allowed for allowed in roles.values())
        method = "GET" if request.method == "HEAD" else request.method
        return request.auth.role in roles.get(method or "", frozenset())
