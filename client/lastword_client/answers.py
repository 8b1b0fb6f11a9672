"""Answers as frozen values. What a newer server adds is kept in `raw` and reachable by subscript."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Self

Reader = Callable[[Any], Any]


class MalformedAnswer(ValueError):
    """The document lacks what every server sends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A JSON object the server sent. Fields it left out keep their defaults."""

    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, document: object) -> Self:
        """The value behind a decoded document."""
        if not isinstance(document, Mapping):
            raise MalformedAnswer(f"{cls.__name__}: not an object")
        known: dict[str, Any] = {}
        for spec in fields(cls):
            if spec.name == "raw" or spec.name not in document:
                continue
            value = document[spec.name]
            reader: Reader | None = spec.metadata.get("reader")
            known[spec.name] = value if reader is None or value is None else reader(value)
        try:
            return cls(raw=document, **known)
        except TypeError as missing:
            raise MalformedAnswer(f"{cls.__name__}: {missing}") from missing

    def __getitem__(self, name: str) -> Any:
        return self.raw[name]


def _moment(text: Any) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError) as problem:
        raise MalformedAnswer(f"not a time: {text!r}") from problem


def _read_by(reader: Reader) -> dict[str, Reader]:
    return {"reader": reader}


_MOMENT = _read_by(_moment)
_TUPLE = _read_by(tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head(Answer):
    """The last link of a chain: what the server vouched for at this moment."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Answer):
    """One link of the chain; `payload` is None once lawfully erased. A participant's key is shown a `withheld` event
    without what colleagues wrote among themselves: the link is whole, the payload is a part or None."""

    seq: int
    type: str
    hash: str
    prev_hash: str = ""
    at: datetime | None = field(default=None, metadata=_MOMENT)
    actor: str = ""
    payload: Mapping[str, Any] | None = None
    withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Answer):
    """The server's proposal to go on in a new conversation. `client.accept_offer` takes it."""

    previous_fir_a_id: str
    reason: str = ""
    suggested_intent: str = ""
    suggested_timeslot_offset_hours: float | None = None
    context_from_previous: Mapping[str, Any] = field(default_factory=dict)

    @property
    def offer(self) -> "Offer":
        """Itself, so that an offer, a closure and a refusal are accepted alike."""
        return self

    @property
    def open_items(self) -> tuple[str, ...]:
        return tuple(self.context_from_previous.get("open_items") or ())

    @property
    def question(self) -> str:
        """The offer as a question to put before a person."""
        about = f" about {', '.join(self.open_items)}" if self.open_items else ""
        hours = self.suggested_timeslot_offset_hours
        when = f" in {hours:g} hours" if hours else ""
        return f"Continue in a follow-up conversation{when}{about}?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure(Answer):
    """How a conversation ended, with exactly the seed's fields and, where the server gave it, its receipt."""

    fir_a_id: str
    closure_type: str
    closure_reason: str = ""
    timestamp: datetime | None = field(default=None, metadata=_MOMENT)
    conversation_summary: Mapping[str, Any] = field(default_factory=dict)
    total_events: int = 0
    conversation_duration_seconds: int = 0
    outcome: str = ""
    re_engagement_offer: Offer | None = field(default=None, metadata=_read_by(Offer.read))
    seq: int | None = None
    hash: str | None = None

    @property
    def offer(self) -> Offer | None:
        """What `accept_offer` accepts, by the name it has on a refusal too."""
        return self.re_engagement_offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner(Answer):
    """Who speaks for our side: the bot, a queue waiting for a person, or an operator."""

    kind: str
    operator: str | None = None
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship(Answer):
    """One bounded conversation (a FIR/A) between an initiator and a responder."""

    id: str
    initiator: str = ""
    responder: str = ""
    conversation_state: str = ""
    conversation_depth: int = 0
    max_depth: int = 0
    roles: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    humotica: str | None = None
    level: int | None = None
    channel: str | None = None
    driver: str = ""
    timebox_hours: float | None = None
    appointment: Mapping[str, Any] | None = None
    created_at: datetime | None = field(default=None, metadata=_MOMENT)
    last_activity_at: datetime | None = field(default=None, metadata=_MOMENT)
    expires_at: datetime | None = field(default=None, metadata=_MOMENT)
    closed_at: datetime | None = field(default=None, metadata=_MOMENT)
    time_remaining_seconds: float | None = None
    continuation_of: str | None = None
    continued_by: tuple[str, ...] = field(default=(), metadata=_TUPLE)
    flow: Mapping[str, Any] | None = None
    owner: Owner | None = field(default=None, metadata=_read_by(Owner.read))
    closure_event: Closure | None = field(default=None, metadata=_read_by(Closure.read))
    head: Head | None = field(default=None, metadata=_read_by(Head.read))

    @property
    def is_active(self) -> bool:
        return self.conversation_state == "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent(Answer):
    """An intent or response that was accepted, and where the conversation stands after it."""

    event: Event = field(metadata=_read_by(Event.read))
    conversation_depth: int = 0
    max_depth: int = 0
    expires_at: datetime | None = field(default=None, metadata=_MOMENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Answer):
    """What a flow or assistant decided on a visitor's message. The dialogue's own fields are in `raw`."""

    message_id: str
    duplicate: bool = False
    status: str | None = None
    decisions: tuple[Mapping[str, Any], ...] = field(default=(), metadata=_TUPLE)
    reply: Mapping[str, Any] | None = None
    suppressed: str | None = None
    handoff_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Answer):
    """The review of one workflow step: whether it loops and whether to go on."""

    step_id: str
    duplicate: bool = False
    step_index: int | None = None
    processed: Mapping[str, Any] = field(default_factory=dict)
    analysis: Mapping[str, Any] = field(default_factory=dict)
    decision: Mapping[str, Any] = field(default_factory=dict)
    progress: Mapping[str, Any] = field(default_factory=dict)
    fulfillment: Mapping[str, Any] = field(default_factory=dict)
    resolutions: tuple[Any, ...] = field(default=(), metadata=_TUPLE)
    finding_id: str | int | None = None

    @property
    def should_continue(self) -> bool:
        """False also where the answer does not say: an agent in doubt stops."""
        return bool(self.decision.get("should_continue", False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff(Answer):
    """A request for a person, waiting or claimed."""

    id: str
    status: str = ""
    relationship: str = ""
    version: int = 0
    reason: str = ""
    summary: Any = None
    operator: str | None = None
    transfer_to: str | None = None
    requested_at: datetime | None = field(default=None, metadata=_MOMENT)
    claimed_at: datetime | None = field(default=None, metadata=_MOMENT)
    wait_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep(Answer):
    """How many conversations the expiry sweep closed."""

    expired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVerification(Answer):
    """What the server says about its own chain."""

    ok: bool
    events: int = 0
    head: Head | None = field(default=None, metadata=_read_by(Head.read))
    first_bad_seq: int | None = None
    reason: str | None = None
