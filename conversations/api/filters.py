"""The filters of `GET /relationships`."""

import django_filters
from django.db.models import Q, QuerySet
from rest_framework.request import Request

from conversations.api.pagination import PAGING
from conversations.domain.closure import ClosureType
from conversations.domain.errors import InvalidTermsError
from conversations.domain.relationship import ConversationState, Driver, OwnerKind
from conversations.models import Relationship

PAGING_NAMES = frozenset(parameter.name for parameter in PAGING)


def choices(values: type) -> list[tuple[str, str]]:
    return [(str(value), str(value)) for value in values]  # type: ignore[attr-defined]


class RelationshipFilter(django_filters.FilterSet):
    state = django_filters.ChoiceFilter("conversation_state", choices=choices(ConversationState))
    driver = django_filters.ChoiceFilter(choices=choices(Driver))
    channel = django_filters.CharFilter()
    party = django_filters.CharFilter(method="of_party")
    owner = django_filters.ChoiceFilter("owner_kind", choices=choices(OwnerKind))
    closure_type = django_filters.ChoiceFilter(choices=choices(ClosureType))
    flow = django_filters.CharFilter("flow_slug")
    q = django_filters.CharFilter(method="saying")

    class Meta:
        model = Relationship
        fields: list[str] = []

    def of_party(self, rows: QuerySet[Relationship], name: str, value: str) -> QuerySet[Relationship]:
        return rows.filter(Q(initiator__handle=value) | Q(responder__handle=value))

    def saying(self, rows: QuerySet[Relationship], name: str, value: str) -> QuerySet[Relationship]:
        return rows.filter(
            Q(humotica__icontains=value) | Q(initiator__handle__icontains=value) | Q(responder__handle__icontains=value)
        )


def filtered(rows: QuerySet[Relationship], request: Request) -> QuerySet[Relationship]:
    """The rows the query asks for; a value no filter knows is an error, not an empty list."""
    unknown = sorted(set(request.query_params) - set(RelationshipFilter.base_filters) - PAGING_NAMES)
    if unknown:  # a misspelt filter would answer with everything there is
        raise InvalidTermsError(field=unknown[0], code="unknown_field", message="There is no such filter.")
    filters = RelationshipFilter(request.query_params, queryset=rows)
    if not filters.is_valid():
        field, messages = next(iter(filters.errors.items()))
        raise InvalidTermsError(field=field, code="unknown_value", message=str(messages[0]))
    return filters.qs
