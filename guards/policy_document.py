"""The guard policy: every number a guard, a machine or a detector may be tuned by, as one checked document.

Pure. A document is changed only through `merge`, which answers either a whole new document or every
reason why not; what it answers is always safe to use and turns into JSON and back unchanged.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

MAX_COUNT = 1_000_000
TEN_YEARS = {"seconds": 315_360_000, "minutes": 5_256_000, "hours": 87_600}

Number = int | float


class Kind(StrEnum):
    """What a setting measures, and so which values make sense for it."""

    COUNT = "count"
    PAGE = "page"
    SECONDS = "seconds"
    MINUTES = "minutes"
    HOURS = "hours"
    SHARE = "share"
    SWITCH = "switch"


BOUNDS: Mapping[Kind, tuple[Number, Number]] = {
    Kind.COUNT: (1, MAX_COUNT),
    Kind.PAGE: (1, 5),
    Kind.SECONDS: (0, TEN_YEARS["seconds"]),
    Kind.MINUTES: (0, TEN_YEARS["minutes"]),
    Kind.HOURS: (0, TEN_YEARS["hours"]),
    Kind.SHARE: (0, 1),
}
WHOLE = frozenset({Kind.COUNT, Kind.PAGE})


Count = Annotated[int, Kind.COUNT]
PageSize = Annotated[int, Kind.PAGE]
Seconds = Annotated[Number, Kind.SECONDS]
Minutes = Annotated[Number, Kind.MINUTES]
Hours = Annotated[Number, Kind.HOURS]
Share = Annotated[Number, Kind.SHARE]
Switch = Annotated[bool, Kind.SWITCH]


@dataclass(frozen=True, slots=True)
class RelationshipPolicy:
    """Seed 000: how long and how deep a conversation may get unless it says otherwise itself."""

    max_depth: Count = 5
    timebox_hours: Hours = 24


@dataclass(frozen=True, slots=True)
class ThreadPolicy:
    """Seed 004: the seven interaction guards of a persona thread."""

    max_turns: Count = 8
    grace_seconds: Seconds = 4
    persona_cooldown_seconds: Seconds = 25
    max_active_threads: Count = 5
    active_window_minutes: Minutes = 10
    persona_min_turns: Count = 2
    min_delay_seconds: Seconds = 2
    max_delay_seconds: Seconds = 8


@dataclass(frozen=True, slots=True)
class DialoguePolicy:
    """Seed 002: caps and clocks of the assistant dialogue."""

    clarification_cap: Count = 2
    repeat_intent: Count = 3
    confirmation_seconds: Seconds = 300
    page_limit: PageSize = 5
    timeout_minutes: Minutes = 30
    error_cap: Count = 3


@dataclass(frozen=True, slots=True)
class WorkflowPolicy:
    """Seed 003: budgets and thresholds of workflow runs."""

    max_steps: Count = 10
    max_retries: Count = 3
    loop_detection_threshold: Share = 0.8
    max_response_length: Count = 2000
    truncation_detection_enabled: Switch = True
    auto_retry_on_truncation: Switch = True
    progress_tracking_enabled: Switch = True
    completion_threshold: Share = 0.8
    quality_threshold: Share = 0.7


@dataclass(frozen=True, slots=True)
class FlowPolicy:
    """Seed 001: how often in a row a flow may choose one node."""

    consecutive_cap: Count = 10


@dataclass(frozen=True, slots=True)
class HandoffPolicy:
    """When a waiting or held conversation needs attention."""

    idle_release_minutes: Minutes = 10
    warn_minutes: Minutes = 2
    breach_minutes: Minutes = 5


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """The whole policy; its defaults are the seeds' values."""

    relationship: RelationshipPolicy = RelationshipPolicy()
    threads: ThreadPolicy = ThreadPolicy()
    dialogue: DialoguePolicy = DialoguePolicy()
    workflow: WorkflowPolicy = WorkflowPolicy()
    flow: FlowPolicy = FlowPolicy()
    handoff: HandoffPolicy = HandoffPolicy()

    def to_json(self) -> dict[str, dict[str, Any]]:
        """The document as plain JSON values, in the order of the contract."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FieldError:
    """One reason why a partial document was refused; `field` is dotted (`threads.max_turns`)."""

    field: str
    code: str
    message: str


DEFAULT_POLICY = PolicyDocument()


def from_json(document: Mapping[str, Any]) -> PolicyDocument:
    """A stored document as values; one written before a setting existed has that setting's default."""
    merged = merge(DEFAULT_POLICY, document)
    if not isinstance(merged, PolicyDocument):
        raise ValueError(f"stored policy is not valid: {merged[0].field} {merged[0].code}")
    return merged


def merge(current: PolicyDocument, partial: object) -> PolicyDocument | list[FieldError]:
    """Lay a partial JSON document over the current one, or say everything that is wrong with it."""
    if not isinstance(partial, Mapping):
        return [FieldError("", "wrong_type", "A policy is an object.")]
    errors: list[FieldError] = []
    changed: dict[str, Any] = {}
    sections = {section.name for section in fields(PolicyDocument)}
    for name, values in partial.items():
        if name not in sections:
            errors.append(FieldError(str(name), "unknown_key", "The policy has no such part."))
        elif not isinstance(values, Mapping):
            errors.append(FieldError(name, "wrong_type", "A part of the policy is an object."))
        else:
            errors += _section_errors(name, getattr(current, name), values)
            changed[name] = values
    if errors:
        return errors
    merged = replace(current, **{name: replace(getattr(current, name), **v) for name, v in changed.items()})
    return _contradictions(merged) or merged


def _section_errors(section: str, current: Any, values: Mapping[Any, Any]) -> list[FieldError]:
    hints = get_type_hints(type(current), include_extras=True)
    kinds: dict[str, Kind] = {name: hint.__metadata__[0] for name, hint in hints.items()}
    errors = []
    for key, value in values.items():
        name = f"{section}.{key}"
        if key not in kinds:
            errors.append(FieldError(name, "unknown_key", f"The part {section} has no such setting."))
        elif error := _value_error(name, kinds[key], value):
            errors.append(error)
    return errors


def _value_error(name: str, kind: Kind, value: object) -> FieldError | None:
    if kind is Kind.SWITCH:
        return None if isinstance(value, bool) else FieldError(name, "wrong_type", "Must be true or false.")
    # bool is an int to Python, never to a policy
    if isinstance(value, bool) or not isinstance(value, int if kind in WHOLE else int | float):
        wanted = "a whole number" if kind in WHOLE else "a number"
        return FieldError(name, "wrong_type", f"Must be {wanted}.")
    low, high = BOUNDS[kind]
    if not low <= value <= high:  # also true of NaN
        return FieldError(name, "out_of_range", f"Must be from {low} to {high}.")
    return None


def _contradictions(document: PolicyDocument) -> list[FieldError]:
    """Settings that are fine alone and make no sense together."""
    errors = []
    threads, handoff = document.threads, document.handoff
    if threads.min_delay_seconds > threads.max_delay_seconds:
        errors.append(
            FieldError("threads.min_delay_seconds", "inconsistent", "Must not exceed threads.max_delay_seconds.")
        )
    if handoff.warn_minutes >= handoff.breach_minutes:
        errors.append(FieldError("handoff.warn_minutes", "inconsistent", "Must be less than handoff.breach_minutes."))
    return errors
