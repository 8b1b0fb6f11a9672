"""`/guards/policy/backtest`: what another policy would have decided on the traffic that was recorded."""

from datetime import timedelta

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import answers, roles, schemas
from conversations.domain.times import to_text
from conversations.selectors.thread_traffic import recorded_decisions
from guards.services.backtest import try_policy

DEFAULT_SPAN = timedelta(days=7)


class BacktestView(APIView):
    roles = {"POST": roles.EDITORS}

    @extend_schema(request=schemas.BacktestBody, responses={200: answers.BacktestAnswer, 422: answers.Problem})
    def post(self, request: Request) -> Response:
        body = schemas.BacktestBody.model_validate(request.data)
        since = body.since or timezone.now() - DEFAULT_SPAN
        traffic = recorded_decisions(since=since)
        told = try_policy(traffic.decisions, partial=body.policy)
        for difference in told["differences"]:
            relationship, _, seq = difference.pop("reference").partition("/")
            difference |= {"relationship": relationship, "seq": int(seq)}
        return Response({"since": to_text(since), "truncated": traffic.truncated, **told})
