"""The Live board and what needs somebody now: each page in a fixed number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet

from conversations.domain.relationship import ConversationState, Driver, OwnerKind
from conversations.models import Relationship
from conversations.selectors.relationships import relationships
from conversations.selectors.summaries import current_steps, last_lines, summary_json

PAGE = 50
SOON = timedelta(hours=1)
# A conversation that loops must not wait on a later page until everybody else's end is nearer.
ORDERS: dict[str, list[Any]] = {
    "warned": [F("loop_risk").desc(nulls_last=True), "expires_at"],
    "expiry": ["expires_at"],
    "activity": ["-last_activity_at"],
    "newest": ["-created_at"],
    "depth": ["-conversation_depth"],
}
USUAL = "warned"
AT_RISK = "at_risk"


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """What the address asks for; a value it does not know asks for nothing."""

    q: str = ""
    driver: str = ""
    channel: str = ""
    owner: str = ""
    risk: str = ""
    sort: str = USUAL
    page: str = "1"

    @classmethod
    def of(cls, parameters: Any) -> "BoardQuery":
        told = {name: parameters.get(name, "").replace("\0", "").strip() for name in cls.__slots__}
        return cls(
            q=told["q"][:200],
            driver=told["driver"] if told["driver"] in list(Driver) else "",
            channel=told["channel"][:30],
            owner=told["owner"] if told["owner"] in list(OwnerKind) else "",
            risk=AT_RISK if told["risk"] == AT_RISK else "",
            sort=told["sort"] if told["sort"] in ORDERS else USUAL,
            page=told["page"],
        )

    def address(self) -> str:
        """What an address has to say to ask for this again, from the first page on."""
        usual = BoardQuery(page=self.page)
        told = {name: getattr(self, name) for name in self.__slots__}
        return urlencode({name: value for name, value in told.items() if value != getattr(usual, name)})


def active() -> QuerySet[Relationship]:
    return relationships().filter(conversation_state=ConversationState.ACTIVE)


def board_page(query: BoardQuery, *, now: datetime) -> Page[Relationship]:
    """One page of active conversations."""
    rows = active()
    exact = {"driver": query.driver, "channel": query.channel, "owner_kind": query.owner}
    rows = rows.filter(**{name: value for name, value in exact.items() if value})
    if query.q:
        rows = rows.filter(mentions(query.q))
    if query.risk:
        rows = rows.filter(at_risk(now=now))
    return Paginator(rows.order_by(*ORDERS[query.sort], "id"), PAGE).get_page(query.page)


def mentions(words: str) -> Q:
    parties = Q(initiator__handle__icontains=words) | Q(responder__handle__icontains=words)
    return parties | Q(humotica__icontains=words)


def at_risk(*, now: datetime) -> Q:
    """A loop suspected, one step from its depth, or within the hour of its end."""
    near_the_end = Q(conversation_depth__gte=F("max_depth") - 1) | Q(expires_at__lte=now + SOON)
    return near_the_end | Q(loop_risk__isnull=False)


def summaries(rows: Iterable[Relationship]) -> list[dict[str, Any]]:
    """Rows as the board and its socket spell them; what the rows do not hold is read for all at once."""
    shown = list(rows)
    lines, steps = last_lines(shown), current_steps(shown)
    return [summary_json(row, last_line=lines.get(row.pk, ""), current=steps.get(row.pk)) for row in shown]


def channels_in_use() -> list[str]:
    """Read in the order of their ends: that index holds the active ones, where SQLite would read every row to sort."""
    rows = Relationship.objects.filter(conversation_state=ConversationState.ACTIVE).order_by("expires_at")
    return sorted(set(rows.values_list("channel", flat=True)))
