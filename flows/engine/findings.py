"""What validation has to say about a document: one shape for every check."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .wording import Sentence


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(StrEnum):
    INVALID_DOCUMENT = "invalid_document"
    UNDEFINED_GATE = "undefined_gate"
    UNDEFINED_STATE = "undefined_state"
    DUPLICATE_ID = "duplicate_id"
    ALIAS_CHAIN = "alias_chain"
    RAW_NAME_IN_GATE = "raw_name_in_gate"
    ALIAS_TARGET_UNUSED = "alias_target_unused"
    GOAL_UNREACHABLE = "goal_unreachable"
    NODE_NEVER_ELIGIBLE = "node_never_eligible"
    GATE_UNSATISFIABLE = "gate_unsatisfiable"
    FACT_NEVER_PRODUCED = "fact_never_produced"
    FACT_UNUSED = "fact_unused"
    UNBOUNDED_NODE = "unbounded_node"
    RETRY_DEAD = "retry_dead"
    DEAD_COOLDOWN = "dead_cooldown"
    LOOP_GUARD_UNREACHABLE = "loop_guard_unreachable"
    EMPTY_LIST = "empty_list"
    CANNOT_HELP_GATE = "cannot_help_gate"
    CRITICAL_NODE = "critical_node"
    CRITICAL_SKIP = "critical_skip"


@dataclass(frozen=True, slots=True)
class Finding:
    """`path` is a JSON Pointer into the document; `suggestion` says what to do about it."""

    level: Level
    code: Code
    path: str
    message: Sentence
    suggestion: Sentence
    node: str | None = None

    def to_json(self, translate: Callable[[str], str] = str) -> dict[str, Any]:
        """The contract's English, unless a page translates it."""
        return {
            "level": self.level.value,
            "code": self.code.value,
            "path": self.path,
            "node": self.node,
            "message": self.message.said(translate),
            "suggestion": self.suggestion.said(translate),
        }


class FlowNotLoadable(Exception):
    """A flow that cannot run was about to be run (F23)."""

    code = "flow_invalid"

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(f"{f.path}: {f.message}" for f in self.findings[:5]))


def pointer(*parts: str | int) -> str:
    """A JSON Pointer (RFC 6901): `pointer("nodes", 2, "id")` is `/nodes/2/id`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether anything found forbids publishing."""
    return any(finding.level is Level.ERROR for finding in findings)
