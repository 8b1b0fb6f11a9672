"""`Authorization: Bearer <key>`: the key's digest is looked up on every request, so a revoked key ends at once."""

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from conversations.models import ApiKey
from conversations.selectors.api_keys import active_key, bearer_of
from conversations.services.api_keys import note_use


class ApiKeyAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[ApiKey, ApiKey] | None:
        key = bearer_of(request.headers.get("Authorization", ""))
        if not key:
            return None
        found = active_key(key)
        if found is None:
            raise AuthenticationFailed("This key is unknown or revoked.")
        note_use(found, now=timezone.now())
        return found, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class ApiKeyScheme(OpenApiAuthenticationExtension):
    target_class = ApiKeyAuthentication
    name = "ApiKey"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A key made by `manage.py create_api_key`."}
