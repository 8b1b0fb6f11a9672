"""`/guards/policy`: every number of every guard, versioned."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from guards.errors import InvalidPolicyError
from guards.selectors.policy import PolicyInForce, policy_in_force
from guards.services.policy import change_policy


class PolicyView(APIView):
    roles = {
        "GET": frozenset({"router", "operator", "auditor", "editor"}),
        "PUT": frozenset({"editor"}),
    }

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        return Response(policy_json(policy_in_force()))

    @extend_schema(request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request) -> Response:
        partial, read_at = without_version(request.data)
        return Response(policy_json(change_policy(partial=partial, author=request.auth.name, read_at=read_at)))


def without_version(body: Any) -> tuple[Any, int | None]:
    """The document and the version it was read at: what `GET` gave may be sent back as it is."""
    if not isinstance(body, Mapping) or "version" not in body:
        return body, None
    version = body["version"]
    if isinstance(version, bool) or not isinstance(version, int):
        error = {"field": "version", "code": "wrong_type", "message": "Must be a whole number."}
        raise InvalidPolicyError("The version is not valid.", errors=[error])
    return {name: part for name, part in body.items() if name != "version"}, version


def policy_json(policy: PolicyInForce) -> dict[str, object]:
    return {"version": policy.version, **policy.document.to_json()}
