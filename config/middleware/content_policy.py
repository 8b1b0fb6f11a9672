"""What a page may load and run: our own files only."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Alpine, which the admin theme uses, compiles its expressions: 'unsafe-eval'. Inline scripts stay
# forbidden, so text that slips into a page cannot run.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


class ContentPolicyMiddleware:
    """Puts the policy on every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        response.setdefault("Content-Security-Policy", POLICY)
        return response
