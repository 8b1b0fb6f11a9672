"""What callers send. Strict: a wrong type or an unknown field is an error, never a guess."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from conversations.domain.closure import ClosureType
from conversations.domain.relationship import Appointment, Driver, to_stored_hours

MAX_TIMEBOX_HOURS = 24 * 366 * 100


def moment(value: object) -> object:
    """An ISO 8601 text with its zone; JSON has no dates, so strict mode must be told."""
    if not isinstance(value, str):
        raise ValueError("an ISO 8601 text with a time zone")
    try:
        read = datetime.fromisoformat(value)
        return read.astimezone(UTC) if read.tzinfo else read
    except OverflowError as problem:
        raise ValueError("a moment within the years 1 to 9999") from problem


def number(value: object) -> object:
    """A JSON number, exactly as written."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number")
    return Decimal(str(value))


FROM_TEXT = Field(strict=False)  # strict mode would want the enumeration itself, which JSON has not
Handle = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=False)]
# An intent's name is content; a response's becomes the type of its event, in a header nobody can erase.
Title = Annotated[
    str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$")
]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$")]
Text = Annotated[str, StringConstraints(max_length=10_000)]
Moment = Annotated[AwareDatetime, BeforeValidator(moment)]
Hours = Annotated[Decimal, BeforeValidator(number), Field(gt=0, le=MAX_TIMEBOX_HOURS), AfterValidator(to_stored_hours)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AppointmentBody(Body):
    id: Annotated[str, StringConstraints(max_length=200)] | None = None
    start: Moment
    end: Moment
    subject: Text | None = None

    def value(self) -> Appointment:
        return Appointment(start=self.start, end=self.end, id=self.id, subject=self.subject)


class RelationshipBody(Body):
    initiator: Handle
    responder: Handle
    roles: dict[str, Any] = {}
    context: dict[str, Any] = {}
    humotica: Text = ""
    level: Annotated[int, Field(ge=0, le=5)] | None = None
    timebox_hours: Hours = Decimal(24)
    max_depth: Annotated[int, Field(ge=1, le=10_000)] = 5
    appointment: AppointmentBody | None = None
    driver: Annotated[Driver, FROM_TEXT] = Driver.RELAY
    flow: Annotated[str, StringConstraints(max_length=100)] | None = None


class IntentBody(Body):
    sender: Handle | None = None
    intent: Title
    context: dict[str, Any] = {}
    humotica: Text | None = None


class ResponseBody(Body):
    sender: Handle | None = None
    response: Name
    context: dict[str, Any] = {}
    humotica: Text | None = None


class CloseBody(Body):
    closure_type: Annotated[ClosureType, FROM_TEXT]
    summary: Text | None = None


class FollowupBody(Body):
    appointment: AppointmentBody | None = None


class RatingBody(Body):
    score: Annotated[int, Field(ge=1, le=5)]
    comment: Text = ""


class TurnBody(Body):
    message_id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    text: Annotated[str, StringConstraints(max_length=100_000)] = ""
    facts: dict[str, Any] | None = None
    meaning: Annotated[str, StringConstraints(max_length=50)] | None = None
    target_id: Annotated[str, StringConstraints(max_length=200)] | None = None
    intent: Annotated[str, StringConstraints(max_length=100)] | None = None
    confidence: Annotated[Decimal, BeforeValidator(number), Field(ge=0, le=1)] | None = None


class FactsBody(Body):
    set: dict[str, Any] = {}
    remove: Annotated[list[str], Field(max_length=1000)] = []


class MigrateBody(Body):
    version: Annotated[int, Field(ge=1)]
    mapping: dict[str, str] = {}
    dry_run: bool = False


class NothingBody(Body):
    """Nothing is asked."""


class ReasonBody(Body):
    reason: Text = ""


class ClaimBody(Body):
    version: Annotated[int, Field(ge=0)]


class TransferBody(Body):
    to: Annotated[str, StringConstraints(min_length=1, max_length=150)]


class SayBody(Body):
    text: Annotated[str, StringConstraints(min_length=1, max_length=100_000)]


class ReturnBody(Body):
    note: Text = ""
    facts: dict[str, Any] = {}
    skip: Annotated[list[str], Field(max_length=1000)] = []
    grant: dict[str, Annotated[int, Field(ge=1, le=100)]] = {}


class PersonaBody(Body):
    handle: Handle
    name: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None
    responder: dict[str, Any] | None = None


class ThreadEventBody(Body):
    event_id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    sender: Handle
    text: Annotated[str, StringConstraints(max_length=100_000)] = ""
    subtype: Annotated[str, StringConstraints(max_length=100)] | None = None
    bot_id: Annotated[str, StringConstraints(max_length=200)] | None = None
    ts: Annotated[str, StringConstraints(max_length=100)] | int | float | None = None


class ThreadAddress(Body):
    """The thread's name in the path; control characters have no place in a key."""

    key: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class BacktestBody(Body):
    policy: dict[str, Any]
    since: Moment | None = None
