"""What the guards refused lately: how often, by which guard, whom; and what was said all the same."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from conversations.domain.threads import DROPPED, REPLIED, SCHEDULED, SKIPPED
from conversations.models import Event, PersonaThread
from conversations.selectors.events import as_recorded
from conversations.selectors.thread_traffic import guard_activity
from guards.chain import GUARDS

REFUSED = (SKIPPED, DROPPED)
SHOWN = 50
LOOKED_AT = 1_000


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts of some days: refusals by guard and by code where no guard spoke, and what each persona did."""

    by_guard: dict[str, int]
    by_code: dict[str, int]
    personas: list[dict[str, Any]]
    days: list[dict[str, Any]]
    refused: int
    replied: int


def activity(*, since: date) -> Activity:
    rows = guard_activity(since=since)
    refused = [row for row in rows if row["event"] in REFUSED]
    by_guard = counted(refused, "guard")
    return Activity(
        by_guard={guard.NAME: by_guard[guard.NAME] for guard in GUARDS},
        by_code=dict(counted((row for row in refused if not row["guard"]), "code")),
        personas=by_persona(rows),
        days=by_day(rows),
        refused=sum(by_guard.values()),
        replied=counted(rows, "event")[REPLIED],
    )


def counted(rows: Iterable[dict[str, Any]], name: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row[name]] += row["count"]
    return counts


def by_persona(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How often each was chosen, spoke, and was stopped at the moment of posting."""
    handles = sorted({row["persona"] for row in rows if row["persona"]})
    of = {handle: counted((row for row in rows if row["persona"] == handle), "event") for handle in handles}
    return [
        {"handle": handle, "chosen": each[SCHEDULED], "spoke": each[REPLIED], "stopped": each[DROPPED]}
        for handle, each in of.items()
    ]


def by_day(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    days = sorted({row["day"] for row in rows}, reverse=True)
    of = {day: counted((row for row in rows if row["day"] == day), "event") for day in days}
    return [
        {"day": day, "refused": sum(each[t] for t in REFUSED), "replied": each[REPLIED]} for day, each in of.items()
    ]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reply that was not given: where, to whom, and in the words of the guard."""

    relationship: UUID
    thread: str
    seq: int
    at: datetime
    code: str
    reason: str
    guard: str
    whom: str


def recent_refusals(*, since: datetime, guard: str = "") -> list[Refusal]:
    """The newest ones, of one guard where one is named; what was erased is left out."""
    rows = Event.objects.filter(type__in=REFUSED, at__gte=since, payload__isnull=False).order_by("-at", "-id")
    events = list(rows.select_related("payload")[: LOOKED_AT if guard else SHOWN])
    threads = PersonaThread.objects.filter(pk__in={event.relationship_id for event in events})
    keys = dict(threads.values_list("relationship", "key"))
    found = (refusal_of(event, thread=keys.get(event.relationship_id, "")) for event in events)
    return [refusal for refusal in found if not guard or refusal.guard == guard][:SHOWN]


def refusal_of(event: Event, *, thread: str) -> Refusal:
    told = as_recorded(event).content
    code = told.get("code") or ""
    return Refusal(
        relationship=event.relationship_id,
        thread=thread,
        seq=event.seq,
        at=event.at,
        code=code,
        reason=told.get("reason") or "",
        guard=next((each["guard"] for each in told["verdicts"] if code and each["code"] == code), ""),
        whom=told.get("persona") or (told.get("context") or {}).get("sender_persona") or "",
    )
