"""`/webhooks/...`: signed by who sends them instead of a key; kept and answered at once, worked afterwards."""

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from drf_spectacular.utils import OpenApiTypes, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import answers
from conversations.api.channel_schemas import AcceptedAnswer
from conversations.api.parsers import BodyTooLargeError
from conversations.models import Channel, Delivery
from conversations.services.deliveries import receive

RESPONSES = {200: AcceptedAnswer, 401: answers.Problem, 404: answers.Problem}


class WebhookView(APIView):
    """The raw body is read before anything parses it: the signature is over its bytes."""

    authentication_classes: ClassVar[list[type]] = []
    permission_classes: ClassVar[list[type]] = []
    throttle_classes: ClassVar[list[type]] = []
    kind: ClassVar[str]

    def handle(self, request: Request, inbox: str, path_secret: str | None = None) -> Response:
        received = receive(
            kind=self.kind, inbox=inbox, headers=request.headers, body=raw_body(request), path_secret=path_secret
        )
        if received.challenge is not None:
            return Response({"challenge": received.challenge})
        duplicate = received.delivery.status == Delivery.Status.DUPLICATE
        return Response({"delivery": str(received.delivery.pk), "duplicate": duplicate})


class ChatwootView(WebhookView):
    kind = Channel.Kind.CHATWOOT

    @extend_schema(request=OpenApiTypes.OBJECT, responses=RESPONSES, auth=[])
    def post(self, request: Request, inbox: str) -> Response:
        return self.handle(request, inbox)


class UnsignedChatwootView(WebhookView):
    """For servers before 4.13, which cannot sign: the secret is the path's last segment."""

    kind = Channel.Kind.CHATWOOT

    @extend_schema(request=OpenApiTypes.OBJECT, responses=RESPONSES, auth=[])
    def post(self, request: Request, inbox: str, secret: str) -> Response:
        return self.handle(request, inbox, secret)


class SlackView(WebhookView):
    kind = Channel.Kind.SLACK

    @extend_schema(request=OpenApiTypes.OBJECT, responses=RESPONSES, auth=[])
    def post(self, request: Request, workspace: str) -> Response:
        return self.handle(request, workspace)


def raw_body(request: Request) -> bytes:
    try:
        return bytes(request._request.body)
    except RequestDataTooBig as problem:
        limit = settings.LASTWORD_BODY_LIMIT
        raise BodyTooLargeError(f"A body has at most {limit} bytes.", limit=limit) from problem
