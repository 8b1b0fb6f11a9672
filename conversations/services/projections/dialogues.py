"""Dialogues as their events say."""

from collections.abc import Iterable

from conversations.domain import handoff
from conversations.domain.dialogue.machine import Moved, hand_over, return_to_bot
from conversations.domain.dialogue.record import DialogueState, InvalidDialogueStateError, SideColumns
from conversations.domain.events import Recorded
from conversations.domain.relationship import Driver
from conversations.domain.turns import TURN
from conversations.models import Dialogue, Relationship
from conversations.selectors.dialogues import dialogue_of

OWNER_EVENTS = (handoff.REQUESTED, handoff.CLAIMED, handoff.RETURNED)


def apply(relationship: Relationship, event: Recorded) -> None:
    """A turn of the assistant leaves the whole state it came to."""
    if "dialogue" in event.content:
        state = DialogueState.from_json(event.content["dialogue"])
        write(relationship, state, SideColumns.from_json(event.content["side"]))


def rebuild(relationship: Relationship, chain: Iterable[Recorded]) -> None:
    """Writes the dialogue anew from the events, as after an erasure: what was erased is in no column either."""
    Dialogue.objects.filter(pk=relationship.pk).delete()
    for event in chain:
        if event.type == TURN:
            apply(relationship, event)
        elif event.type in OWNER_EVENTS:
            follow_owner(relationship, event)


def follow_owner(relationship: Relationship, event: Recorded) -> None:
    """A person taking the conversation, or giving it back, moves the dialogue with it."""
    if relationship.driver != Driver.ASSISTANT:
        return
    document, side = dialogue_of(relationship)
    try:
        state = DialogueState.from_json(document)
    except InvalidDialogueStateError:
        return  # the next turn's consistency check resets it (seed 002, section 7)
    if event.type == handoff.RETURNED:
        moved = return_to_bot(state, side)
    else:
        moved = hand_over(state, side, side.handoff_reason or "takeover")
    if isinstance(moved, Moved):
        write(relationship, moved.state, moved.side)


def write(relationship: Relationship, state: DialogueState, side: SideColumns) -> None:
    Dialogue.objects.update_or_create(
        relationship=relationship,
        defaults={
            "conversation_state": state.to_json(),
            "query": side.query,
            "shown_ids": list(side.shown_ids),
            "repeat_count": side.repeat_count,
            "error_count": side.error_count,
            "handoff_reason": side.handoff_reason,
            "last_message_at": side.last_message_at,
        },
    )
