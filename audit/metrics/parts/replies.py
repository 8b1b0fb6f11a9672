"""How long somebody waited for an answer. What the bot answers inside the turn's own transaction has no wait."""

from collections.abc import Iterator
from datetime import datetime

from audit.metrics.buckets import milliseconds, span_bucket
from audit.metrics.keys import Amount, Measure, Part
from audit.metrics.parts.conversation import is_message
from audit.metrics.talks import Talk
from conversations.domain import handoff, threads, turns, workflow_steps
from conversations.domain.events import CLOSURE, INTENT, Recorded

VISITORS = frozenset({turns.TURN, threads.MESSAGE})
HANDOFF_OVER = frozenset({handoff.RETURNED, handoff.RESOLVED, CLOSURE})


def parts(talk: Talk) -> Iterator[Part]:
    for wait in (responder, operator, persona, agent):
        yield from wait(talk)


def waited(measure: Measure, since: datetime, until: datetime) -> Part:
    spent = milliseconds(since, until)
    return Part(measure, until, span_bucket(spent), Amount(1, spent))


def responder(talk: Talk) -> Iterator[Part]:
    """From the first unanswered intent to the response."""
    since: datetime | None = None
    for event in talk.events:
        if event.type == INTENT:
            since = since or event.at
        elif event.is_response and since is not None:
            yield waited(Measure.REPLY_RESPONDER, since, event.at)
            since = None


def operator(talk: Talk) -> Iterator[Part]:
    """From the request for a person, or the first word said to one since their last, to their reply."""
    since, asked = None, False
    for event in talk.events:
        if event.type == handoff.REQUESTED:
            since, asked = event.at, True
        elif event.type in HANDOFF_OVER:
            since, asked = None, False
        elif asked and by_visitor(event):
            since = since or event.at
        elif event.type == handoff.REPLIED and since is not None:
            yield waited(Measure.REPLY_OPERATOR, since, event.at)
            since = None


def by_visitor(event: Recorded) -> bool:
    return event.type in VISITORS or event.is_response


def persona(talk: Talk) -> Iterator[Part]:
    """From the message that was to be answered to the reply, in the order they were promised."""
    promised: list[datetime] = []
    for event in talk.events:
        if event.type == threads.SCHEDULED:
            promised.append(event.at)
        elif event.type in threads.SETTLED and promised:
            since = promised.pop(0)
            if event.type == threads.REPLIED:
                yield waited(Measure.REPLY_PERSONA, since, event.at)


def agent(talk: Talk) -> Iterator[Part]:
    """What each step of a workflow took since the last sign of life."""
    since = talk.begun
    for event in talk.events:
        if event.type == workflow_steps.TAKEN:
            yield waited(Measure.REPLY_AGENT, since, event.at)
        if is_message(event):
            since = event.at
