"""Closing a conversation: outcome, summary, open items, offer (seed 000, R6-R12). All by rule, from the events."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from conversations.domain.events import CLOSURE, INTENT, Recorded
from conversations.domain.times import to_text

TRACE_ARROW = " → "
FOLLOWUP_WORDS = "follow-up required"
FOLLOWUP_OFFSET_HOURS = 24
FOLLOWUP_INTENT = "follow_up_discussion"


class ClosureType(StrEnum):
    COMPLETED = "completed"
    EXPIRED = "expired"
    MAX_DEPTH = "max_depth"
    USER_TERMINATED = "user_terminated"
    ERROR = "error"
    INCOMPLETE = "incomplete"


REASONS = {
    ClosureType.COMPLETED: "Conversation successfully completed",
    ClosureType.EXPIRED: "Timebox expired",
    ClosureType.MAX_DEPTH: "Maximum conversation depth reached",
    ClosureType.USER_TERMINATED: "User ended conversation",
    ClosureType.ERROR: "Error occurred, conversation aborted",
    ClosureType.INCOMPLETE: "Conversation ended before it was completed",
}


class Outcome(StrEnum):
    SUCCESS = "success"
    REJECTED = "rejected"
    SIGNED = "completed_with_signature"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True)
class Chain:
    """What a closing looks at."""

    relationship: str
    created_at: datetime
    events: Sequence[Recorded]

    @cached_property
    def exchanges(self) -> list[Recorded]:
        return [event for event in self.events if event.type == INTENT or event.is_response]


def outcome(chain: Chain) -> Outcome:
    """R8: what the last intent or response says."""
    if not chain.exchanges:
        return Outcome.INCOMPLETE
    last = chain.exchanges[-1]
    if last.type == "response_accepted":
        return Outcome.SUCCESS
    if last.type == "response_rejected":
        return Outcome.REJECTED
    return Outcome.SIGNED if is_signature(last) else Outcome.INCOMPLETE


def is_signature(event: Recorded) -> bool:
    """A response that signs, by its name; whole words: "unsigned" is the opposite of a signature."""
    words = re.split(r"[^a-z0-9]+", event.type.lower())
    return event.is_response and "signed" in words and "not" not in words


def humotica_trace(chain: Chain) -> str:
    """R9: the humotica texts in order; without any, the names of what was said."""
    texts = [text for event in chain.events if (text := event.content.get("humotica"))]
    return TRACE_ARROW.join(texts or [name_of(event) for event in chain.exchanges])


def name_of(event: Recorded) -> str:
    """The intent's or response's own name; an erased intent keeps only its type."""
    if event.type == INTENT:
        return str(event.content.get("intent", INTENT))
    return event.type.removeprefix("response_")


def summary(chain: Chain) -> dict[str, Any]:
    """R12: generated from the events; no field of it is ever written by a model."""
    intents = [event for event in chain.exchanges if event.type == INTENT]
    return {
        "total_intents": len(intents),
        "total_responses": len(chain.exchanges) - len(intents),
        "intent_types": [name_of(event) for event in intents],
        "outcome_status": outcome(chain),
        "humotica_trace": humotica_trace(chain),
    }


def open_items(chain: Chain) -> list[str]:
    """R10: unanswered intents and named items, minus what a later event resolved; each once, in order."""
    items: dict[str, None] = {}
    unanswered: dict[str, None] = {}
    for event in chain.events:
        context = event.content.get("context")
        named = context if isinstance(context, dict) else {}
        for item in texts_in(named.get("resolved_items")):
            items.pop(item, None)
            unanswered.pop(item, None)
        if event.type == INTENT:
            unanswered[name_of(event)] = None
        elif event.is_response:
            unanswered.clear()
        items.update(dict.fromkeys(texts_in(named.get("open_items"))))
    return list(unanswered | items)


def texts_in(value: object) -> list[str]:
    """The texts of a list given by a caller; anything else names no item."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def needs_followup(chain: Chain, closure_type: ClosureType) -> bool:
    """R9, and a conversation cut off by its depth always gets an offer."""
    return (
        closure_type == ClosureType.MAX_DEPTH
        or outcome(chain) in (Outcome.INCOMPLETE, Outcome.REJECTED)
        or FOLLOWUP_WORDS in humotica_trace(chain).lower()
    )


def followup_reason(chain: Chain) -> str:
    """Why a follow-up is offered or made, in words."""
    if outcome(chain) == Outcome.REJECTED:
        return "The last proposal was rejected"
    if items := open_items(chain):
        return f"Open items: {', '.join(items)}"
    return "Follow-up required based on conversation outcome"


def offer(chain: Chain) -> dict[str, Any]:
    """The re-engagement offer of the seed."""
    return {
        "type": "re_engagement_offer",
        "previous_fir_a_id": chain.relationship,
        "reason": "Follow-up required based on conversation outcome",
        "suggested_timeslot_offset_hours": FOLLOWUP_OFFSET_HOURS,
        "suggested_intent": FOLLOWUP_INTENT,
        "context_from_previous": {"summary": summary(chain), "open_items": open_items(chain)},
    }


def closure_event(chain: Chain, *, closure_type: ClosureType, now: datetime) -> dict[str, Any]:
    """The closure event, with exactly the seed's fields. `total_events` counts the event itself (R7)."""
    return {
        "type": CLOSURE,
        "fir_a_id": chain.relationship,
        "closure_type": closure_type,
        "closure_reason": REASONS[closure_type],
        "timestamp": to_text(now),
        "conversation_summary": summary(chain),
        "total_events": len(chain.events) + 1,
        "conversation_duration_seconds": int((now - chain.created_at).total_seconds()),
        "outcome": outcome(chain),
        "re_engagement_offer": offer(chain) if needs_followup(chain, closure_type) else None,
    }
