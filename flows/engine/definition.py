"""A conversation flow as values: what an editor wrote, typed and frozen (seed 001, F17)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

HANDOFF_REQUESTED = "HANDOFF_REQUESTED"
"""The one flow state the engine itself sets (F9)."""


class Importance(StrEnum):
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


class OnExhaust(StrEnum):
    CLARIFY = "CLARIFY"
    BROADEN = "BROADEN"
    HANDOFF = "HANDOFF"
    SKIP = "SKIP"


class VariantStrategy(StrEnum):
    ROTATE = "ROTATE"
    ESCALATE = "ESCALATE"
    REPHRASE = "REPHRASE"


class PostGoalPolicy(StrEnum):
    STOP = "STOP"
    CONTINUE_HIGH = "CONTINUE_HIGH"


class GoalType(StrEnum):
    GATE = "GATE"
    STATE = "STATE"


class FactType(StrEnum):
    TEXT = "text"
    EMAIL = "email"
    PHONE = "phone"
    DATE = "date"
    NUMBER = "number"
    QUANTITY = "quantity"
    CHOICE = "choice"
    REGEX = "regex"


@dataclass(frozen=True, slots=True)
class Goal:
    type: GoalType
    name: str


@dataclass(frozen=True, slots=True)
class Gate:
    """`None` means the key is absent, which differs from an empty list (F15)."""

    metrics_all: tuple[str, ...] | None = None
    metrics_any: tuple[str, ...] | None = None
    states_all: tuple[str, ...] | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        return (self.metrics_all or ()) + (self.metrics_any or ())


@dataclass(frozen=True, slots=True)
class FactSpec:
    type: FactType = FactType.TEXT
    choices: tuple[str, ...] = ()
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Defaults are the built-in policy of F17."""

    max_attempts: int = 3
    on_exhaust: OnExhaust = OnExhaust.HANDOFF
    cooldown_turns: int = 0
    prompt_variant_strategy: VariantStrategy = VariantStrategy.REPHRASE


@dataclass(frozen=True, slots=True)
class Node:
    """One thing to say or ask. `position` is its place in the document and survives a shuffle (F13)."""

    id: str
    position: int
    title: str = ""
    importance: Importance = Importance.NORMAL
    requires: tuple[str, ...] = ()
    requires_states: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()
    gates: tuple[str, ...] | None = None
    states: tuple[str, ...] = ()
    max_executions: int | None = None
    retry_policy: RetryPolicy | None = None
    prompts: tuple[str, ...] = ()
    skip_if_satisfied: bool = False


@dataclass(frozen=True, slots=True)
class FlowDefinition:
    name: str
    goal: Goal
    nodes: tuple[Node, ...]
    gates: Mapping[str, Gate] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, FactSpec] = field(default_factory=dict)
    default_retry: RetryPolicy | None = None
    post_goal: PostGoalPolicy = PostGoalPolicy.STOP

    def canonical(self, name: str) -> str:
        """The canonical name of a fact: aliases are one level (F17)."""
        return self.aliases.get(name, name)

    def produced_by(self, node: Node) -> tuple[str, ...]:
        """Canonical facts a node asks for, without repeats, in the order written."""
        return tuple(dict.fromkeys(map(self.canonical, node.produces)))

    def retry_policy(self, node: Node) -> RetryPolicy:
        """A node's policy replaces the flow's default as a whole (F17)."""
        return node.retry_policy or self.default_retry or RetryPolicy()
