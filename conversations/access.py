"""Who may see and speak: one place for the rules about a caller and a conversation."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet, prefetch_related_objects

from conversations.domain.disclosure import for_party
from conversations.domain.errors import ForbiddenError, InvalidTermsError, SenderMismatchError
from conversations.domain.events import Recorded
from conversations.domain.handoff import Operator
from conversations.models import ApiKey, Relationship, Role


class ConsoleRole(StrEnum):
    """What a person may do in the console; each is a Django group of that name."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    EDITOR = "editor"
    AUDITOR = "auditor"
    ADMIN = "admin"


EVERYBODY = frozenset(ConsoleRole)
OPERATORS = frozenset({ConsoleRole.OPERATOR})
EDITORS = frozenset({ConsoleRole.EDITOR})
ADMINS = frozenset({ConsoleRole.ADMIN})
# Who reads about people and keys; an auditor reads everything.
OVERSEERS = frozenset({ConsoleRole.ADMIN, ConsoleRole.AUDITOR})
# Who can change something, and so must prove who they are with more than a password.
ACTING = frozenset({ConsoleRole.OPERATOR, ConsoleRole.EDITOR, ConsoleRole.ADMIN})
AUDITORS = frozenset({ConsoleRole.AUDITOR})


class Watch(StrEnum):
    """What can be watched live."""

    LIVE = "live"
    RELATIONSHIP = "relationship"
    INBOX = "inbox"


WATCHES_OF_A_PERSON: dict[str, frozenset[Watch]] = dict.fromkeys(EVERYBODY, frozenset(Watch))
WATCHES_OF_A_KEY: dict[str, frozenset[Watch]] = {
    **dict.fromkeys((Role.ROUTER, Role.OPERATOR, Role.AUDITOR), frozenset(Watch)),
    Role.PARTICIPANT: frozenset({Watch.LIVE, Watch.RELATIONSHIP}),
}


def roles_of(user: Any) -> frozenset[str]:
    """A person's roles; an administrator has them all, somebody switched off has none."""
    if not user.is_active:
        return frozenset()
    prefetch_related_objects([user], "groups")  # a page asks many times; the next request brings a new user
    named = frozenset(group.name for group in user.groups.all()) & EVERYBODY
    return EVERYBODY if user.is_superuser or ConsoleRole.ADMIN in named else named


class SecondStep(StrEnum):
    """What somebody with a password still owes before a page opens."""

    CODE = "code"
    ENROL = "enrol"


def must_enrol(roles: frozenset[str]) -> bool:
    """Whether these roles ask for a second factor."""
    return bool(settings.LASTWORD_TWO_FACTOR and roles & ACTING)


def second_step(roles: frozenset[str], *, has_device: bool) -> SecondStep | None:
    """Who has a device is asked for its code, whatever their roles; who must have one and has none sets it up first."""
    if has_device:
        return SecondStep.CODE
    return SecondStep.ENROL if must_enrol(roles) else None


class Caller(Protocol):
    """Whoever asks for something: a key, or a person at the console."""

    @property
    def actor(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def participant_id(self) -> UUID | None: ...


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the console, whom the door let act as an operator."""

    username: str
    actor: str
    pk: int
    role: str = Role.OPERATOR
    participant_id: UUID | None = None

    @property
    def operator(self) -> Operator:
        return Operator(username=self.username, actor=self.actor)


def person_of(user: Any) -> Person:
    """The ledger's name of a person is the same at the console and through a key of theirs."""
    return Person(username=user.get_username(), actor=f"user:{user.pk}", pk=user.pk)


def operator_of(caller: ApiKey) -> Operator:
    """The person behind an operator's key."""
    if caller.user is None:
        raise ForbiddenError("This key belongs to no operator.")
    return Operator(username=caller.user.get_username(), actor=caller.actor)


def visible_to(caller: Caller, relationships: QuerySet[Relationship]) -> QuerySet[Relationship]:
    """A participant sees the conversations it is a party to; everybody else sees all their role lets them ask for."""
    if caller.role != Role.PARTICIPANT:
        return relationships
    mine = caller.participant_id
    return relationships.filter(Q(initiator_id=mine) | Q(responder_id=mine))


def shown_to(caller: Caller, events: Iterable[Recorded]) -> list[Recorded]:
    """The events as this caller may read them: notes, drafts and verdicts are not for the parties."""
    return [for_party(event) for event in events] if caller.role == Role.PARTICIPANT else list(events)


def sees(caller: Caller, relationship: Relationship) -> bool:
    """The same of one conversation already read."""
    mine = caller.participant_id
    return caller.role != Role.PARTICIPANT or mine in (relationship.initiator_id, relationship.responder_id)


def sender_of(caller: ApiKey, named: str | None) -> str:
    """The sender is the key's own participant where it has one (R3); a trusted router names it."""
    if caller.participant is not None:
        if named is not None and named != caller.participant.handle:
            raise SenderMismatchError("This key speaks for another participant.")
        return str(caller.participant.handle)
    if named is None:
        raise InvalidTermsError(field="sender", code="required", message="Name the sender.")
    return named


def check_administers(caller: ApiKey) -> None:
    """An operator must be an administrator at the console; routers and auditors may by their role."""
    if caller.role == Role.OPERATOR and not (caller.user is not None and ADMINS & roles_of(caller.user)):
        raise ForbiddenError("This operator does not administer channels and subscriptions.")
