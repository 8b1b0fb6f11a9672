"""`/webhook-subscriptions`: who is told of events, and what became of it."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.access import check_administers
from conversations.api import channel_schemas as schemas
from conversations.api import roles
from conversations.api.channel_representations import notice_json, subscription_json
from conversations.api.pagination import PAGING, page_of
from conversations.api.schemas import NothingBody
from conversations.selectors.channels import subscriptions
from conversations.services.subscriptions import create_subscription, notices, replay_notice


class SubscriptionsView(APIView):
    roles = {"GET": roles.READERS, "POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(parameters=PAGING, responses=schemas.SubscriptionPage)
    def get(self, request: Request) -> Response:
        check_administers(request.auth)
        return Response(page_of(subscriptions(), request, order=("created_at", "id"), as_json=subscription_json))

    @extend_schema(request=schemas.SubscriptionBody, responses={201: schemas.SubscriptionAnswer})
    def post(self, request: Request) -> Response:
        check_administers(request.auth)
        body = schemas.SubscriptionBody.model_validate(request.data)
        made = create_subscription(url=body.url, events=body.events, secret=body.secret)
        return Response(subscription_json(made), status=201)


class NoticesView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(parameters=PAGING, responses=schemas.NoticePage)
    def get(self, request: Request, subscription_id: UUID) -> Response:
        check_administers(request.auth)
        rows = notices(subscription_id=subscription_id)
        return Response(page_of(rows, request, order=("created_at", "id"), as_json=notice_json))


class ReplayNoticeView(APIView):
    roles = {"POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(request=NothingBody, responses=schemas.NoticeAnswer)
    def post(self, request: Request, subscription_id: UUID, notice_id: int) -> Response:
        check_administers(request.auth)
        NothingBody.model_validate(request.data)
        return Response(notice_json(replay_notice(subscription_id=subscription_id, notice_id=notice_id)))
