"""`/threads/{key}/events`: what is said in a thread that personas answer in."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import answers, roles, schemas
from conversations.api.representations import replayed
from conversations.services.threads import ThreadEvent, handle_thread_event


class ThreadEventsView(APIView):
    roles = {"POST": roles.ROUTERS}

    @extend_schema(
        request=schemas.ThreadEventBody,
        responses={200: answers.ThreadEventAnswer, 409: answers.Problem, 422: answers.Problem},
    )
    def post(self, request: Request, key: str) -> Response:
        key = schemas.ThreadAddress(key=key).key
        body = schemas.ThreadEventBody.model_validate(request.data)
        told = ThreadEvent(
            key=key,
            event_id=body.event_id,
            sender=body.sender,
            text=body.text,
            subtype=body.subtype,
            bot_id=body.bot_id,
            ts=None if body.ts is None else str(body.ts),
        )
        given = handle_thread_event(told, actor=request.auth.actor)
        answer = {**given.answer, "relationship": str(given.relationship.pk)}
        return Response(answer, headers=replayed(given.duplicate))
