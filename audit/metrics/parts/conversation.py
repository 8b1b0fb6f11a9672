"""Depth, length, how and when it ended, what was thought of it."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from audit.metrics.buckets import milliseconds, size_bucket
from audit.metrics.keys import Amount, Measure, Part
from audit.metrics.talks import Talk
from conversations.domain import handoff, loops, threads, turns, workflow_steps
from conversations.domain.closure import ClosureType
from conversations.domain.events import INTENT, RATED, Recorded

MESSAGES = frozenset({INTENT, turns.TURN, workflow_steps.TAKEN, handoff.REPLIED, *threads.SAID})


def parts(talk: Talk) -> Iterator[Part]:
    messages = [event for event in talk.events if is_message(event)]
    yield Part(Measure.STARTED, talk.begun)
    yield Part(Measure.DEPTH, talk.begun, size_bucket(talk.depth), Amount(1, talk.depth))
    yield Part(Measure.LENGTH, talk.begun, size_bucket(len(messages)), Amount(1, len(messages)))
    for at, count in by_day(messages):
        yield Part(Measure.MESSAGES, at, amount=Amount(count))
    for event in talk.events:
        if event.type == loops.FOUND:
            yield Part(Measure.LOOP, event.at, str(event.content.get("rule", "")))
    if talk.closed is not None:
        spent = milliseconds(talk.begun, talk.closed)
        yield Part(Measure.CLOSED, talk.closed, talk.closure_type or "", Amount(1, spent))
        if talk.closure_type == ClosureType.EXPIRED:
            yield Part(Measure.EXPIRED, talk.closed)
        yield Part(Measure.OUTCOME, talk.closed, talk.outcome or "")
    yield from rating(talk)


def rating(talk: Talk) -> Iterator[Part]:
    """The newest one counts, on its own day."""
    rated = [event.at for event in talk.events if event.type == RATED]
    if rated and talk.rating is not None:
        yield Part(Measure.RATING, rated[-1], str(talk.rating), Amount(1, talk.rating))


def is_message(event: Recorded) -> bool:
    return event.type in MESSAGES or event.is_response


def by_day(events: list[Recorded]) -> Iterator[tuple[datetime, int]]:
    """The first moment of each day, and how many were on it."""
    counts = Counter(event.at.date() for event in events)
    firsts = {event.at.date(): event.at for event in reversed(events)}
    for day, count in counts.items():
        yield firsts[day], count
