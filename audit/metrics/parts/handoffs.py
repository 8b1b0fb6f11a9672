"""Handoffs, by the order of their headers alone: at most one is open at a time, so an erasure takes nothing away."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from audit.metrics.buckets import milliseconds, span_bucket
from audit.metrics.keys import Amount, Measure, Part
from audit.metrics.talks import Talk
from conversations.domain.events import CLOSURE
from conversations.domain.handoff import CLAIMED, REQUESTED, RESOLVED, RETURNED

# How one stands: the first two are still open; `ended` is one whose conversation ended around it.
WAITING, HELD, GIVEN_BACK, SOLVED, ENDED = "waiting", "claimed", "returned", "resolved", "ended"
ENDINGS = {RETURNED: GIVEN_BACK, RESOLVED: SOLVED, CLOSURE: ENDED}
HELPED = (GIVEN_BACK, SOLVED)


@dataclass(slots=True)
class Told:
    asked: datetime
    claimed: datetime | None = None
    ended: datetime | None = None
    ending: str = ""

    @property
    def resolved(self) -> datetime | None:
        """When somebody was through with it. A conversation that ended around it says how long it stayed open, not
        how long help took: one such would pass a day for a time to resolve."""
        return self.ended if self.ending in HELPED else None

    @property
    def standing(self) -> str:
        return self.ending or (WAITING if self.claimed is None else HELD)


def parts(talk: Talk) -> Iterator[Part]:
    for told in handoffs(talk):
        yield Part(Measure.HANDOFF, told.asked, told.standing)
        for measure, until in ((Measure.CLAIM, told.claimed), (Measure.RESOLVE, told.resolved)):
            if until is not None:
                spent = milliseconds(told.asked, until)
                yield Part(measure, told.asked, span_bucket(spent), Amount(1, spent))


def handoffs(talk: Talk) -> list[Told]:
    """Each request with its first claim and its end; one released waits again, but was claimed once."""
    found: list[Told] = []
    for event in talk.events:
        current = found[-1] if found and not found[-1].ending else None
        if event.type == REQUESTED:
            found.append(Told(event.at))
        elif current and event.type == CLAIMED and current.claimed is None:
            current.claimed = event.at
        elif current and event.type in ENDINGS:
            current.ended, current.ending = event.at, ENDINGS[event.type]
    return found
