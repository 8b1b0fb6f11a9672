"""What a party may read of its own conversation: what was said to it and by it, not what we wrote among ourselves.

Every event keeps its header, so that the party sees the whole chain and can follow its links. What an event says
is shown only where the list below says so: a new kind of event is private until somebody decides otherwise.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from conversations.domain import events as chain
from conversations.domain import handoff, threads, turns
from conversations.domain.events import Recorded

ACTION_CONFIRMED = "action_confirmed"

WHOLE = frozenset(
    {
        chain.CREATED,
        chain.CONTINUATION,
        chain.INTENT,
        chain.CLOSURE,
        chain.RATED,
        chain.ERASED,
        threads.OPENED,
        threads.MESSAGE,
        ACTION_CONFIRMED,
    }
)
# The words that went to and fro; why they were chosen, by which guard and from which facts, is ours.
IN_PART: Mapping[str, tuple[str, ...]] = {
    turns.TURN: ("message_id", "text", "reply"),
    turns.RESUMED: ("reply",),
    handoff.REPLIED: ("text",),
    chain.OBSERVED: ("speaker", "text"),
    threads.REPLIED: ("persona", "name", "text"),
}


def for_party(event: Recorded) -> Recorded:
    """The event as a party is shown it: marked `withheld` where it says more than is shown."""
    if event.payload is None or event.is_response or event.type in WHOLE:
        return event
    return replace(event, payload=part_of(event.type, event.payload), withheld=True)


def part_of(type_: str, payload: Mapping[str, Any]) -> dict[str, Any] | None:
    names = IN_PART.get(type_)
    return None if names is None else {name: payload[name] for name in names if name in payload}
