"""Handing a conversation to a person and back: the acts, and what each does to the record."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from conversations.domain.errors import ConversationError
from conversations.domain.events import Recorded

REQUESTED = "handoff_requested"
CLAIMED = "handoff_claimed"
RELEASED = "handoff_released"
TRANSFERRED = "handoff_transferred"
REPLIED = "operator_replied"
NOTED = "operator_noted"
RETURNED = "handoff_returned"
RESOLVED = "handoff_resolved"
EVENTS = (REQUESTED, CLAIMED, RELEASED, TRANSFERRED, REPLIED, NOTED, RETURNED, RESOLVED)


class HandoffStatus(StrEnum):
    WAITING = "waiting"
    CLAIMED = "claimed"
    RETURNED = "returned"
    RESOLVED = "resolved"


IDLE = "idle"
OPEN = (HandoffStatus.WAITING, HandoffStatus.CLAIMED)


class AlreadyClaimedError(ConversationError):
    code = "already_claimed"
    title = "Another operator has this conversation"


class HandoffVersionError(ConversationError):
    code = "version_conflict"
    title = "The handoff changed since you read it"


class HandoffStatusError(ConversationError):
    code = "handoff_status"
    title = "The handoff is not in a state for that"


class NotHolderError(ConversationError):
    code = "not_holder"
    status = 403
    title = "Only who holds the conversation may do that"


class NobodyToAnswerError(ConversationError):
    code = "nobody_to_answer"
    title = "Nobody would answer after this"


@dataclass(frozen=True, slots=True)
class Operator:
    """A person acting: the name others see, the opaque name the ledger keeps."""

    username: str
    actor: str


class Held(Protocol):
    """What the rules look at of a handoff."""

    status: str
    operator: str | None
    transfer_to: str | None
    version: int


def check_claim(handoff: Held, *, version: int) -> None:
    """One wins: whoever finds it waiting at the version they saw."""
    if handoff.status == HandoffStatus.CLAIMED:
        raise AlreadyClaimedError(f"{handoff.operator} has it.", operator=handoff.operator)
    check_status(handoff, HandoffStatus.WAITING)
    if handoff.version != version:
        raise HandoffVersionError("Read the handoff again.", version=handoff.version)


def check_holder(handoff: Held, operator: Operator) -> None:
    """Acts on a claimed handoff are its holder's."""
    check_status(handoff, HandoffStatus.CLAIMED)
    if handoff.operator != operator.username:
        raise NotHolderError(f"{handoff.operator} holds this conversation.", operator=handoff.operator)


def check_offered(handoff: Held, operator: Operator) -> None:
    """Only who a transfer was offered to may accept or decline it."""
    check_status(handoff, HandoffStatus.CLAIMED)
    if handoff.transfer_to != operator.username:
        raise NotHolderError("This conversation was not offered to you.", transfer_to=handoff.transfer_to)


def check_status(handoff: Held, wanted: HandoffStatus) -> None:
    if handoff.status != wanted:
        raise HandoffStatusError(f"The handoff is {handoff.status}.", handoff_status=handoff.status)


def changes(event: Recorded) -> dict[str, Any]:
    """The columns of the handoff this event changes."""
    told, at = event.content, event.at
    waiting = {"status": HandoffStatus.WAITING, "operator": None, "transfer_to": None, "claimed_at": None}
    match event.type:
        case "handoff_requested":
            return {**waiting, **words_of(event), "requested_at": at}
        case "handoff_claimed":
            claimed = {"status": HandoffStatus.CLAIMED, "operator": told["operator"], "transfer_to": None}
            return {**claimed, "claimed_at": at, "last_act_at": at}
        case "handoff_released":
            return waiting
        case "handoff_transferred":
            return {"transfer_to": told["to"] if told["outcome"] == "offered" else None, "last_act_at": at}
        case "handoff_returned" | "handoff_resolved":
            status = HandoffStatus.RETURNED if event.type == RETURNED else HandoffStatus.RESOLVED
            return {"status": status, "transfer_to": None, "ended_at": at}
    return {"last_act_at": at}


def words_of(event: Recorded) -> dict[str, Any]:
    """Why a person was asked for and what had happened: as texts, and as the figures screens word it by."""
    told = event.content
    return {"reason": told.get("reason", ""), "summary": told.get("summary", ""), "figures": told.get("figures", {})}


def owner_changes(event: Recorded, *, owner_version: int) -> dict[str, Any]:
    """Whose the conversation is after this event; every change of owner is a new version."""
    owners = {
        REQUESTED: ("queue", None),
        CLAIMED: ("operator", event.content.get("operator")),
        RELEASED: ("queue", None),
        RETURNED: ("bot", None),
        RESOLVED: ("bot", None),
    }
    if event.type not in owners:
        return {}
    kind, operator = owners[event.type]
    return {"owner_kind": kind, "owner_operator": operator, "owner_version": owner_version + 1}


def waited_seconds(
    *, requested_at: datetime, claimed_at: datetime | None, ended_at: datetime | None, now: datetime
) -> int:
    """How long it waited, or has waited so far."""
    return max(0, int(((claimed_at or ended_at or now) - requested_at).total_seconds()))
