"""What the editor's screens and calls share: who may, and how a call from the page is answered."""

from django.utils.translation import gettext
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from flows.errors import FlowInvalidError

# The console's roles by name; the console's door compares them with the person's.
READERS = frozenset({"viewer", "operator", "editor", "auditor", "admin"})
EDITORS = frozenset({"editor", "admin"})


class PageCall(APIView):
    """A JSON call of our own pages: the login and its CSRF token instead of a key; the API's body rules and problems.

    The console's door has looked at the role already.
    """

    authentication_classes = [SessionAuthentication]
    permission_classes: list[type[BasePermission]] = []
    throttle_classes: list[type[BaseThrottle]] = []
    schema = None  # no part of the public contract

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, FlowInvalidError):
            exc.say(gettext)
        return super().handle_exception(exc)


def person(request: Request) -> str:
    """Who acts, as drafts and versions name their author."""
    return str(request.user.get_username())
