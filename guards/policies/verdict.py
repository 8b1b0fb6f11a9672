"""What a guard answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

LOG_PREFIX = "[CONDUCTOR]"

Figure = int | str | bool | None
"""Ledger-safe: canonical JSON holds no floats, so every duration is in whole milliseconds."""


class Action(StrEnum):
    """What a verdict asks the conductor to do."""

    ALLOW = "allow"
    SKIP = "skip"
    DELAY = "delay"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One guard's answer with the figures it used.

    `code` and `reason` are set on refusals only, `wait_ms` on the delays among them.
    """

    guard: str
    action: Action
    code: str | None = None
    reason: str | None = None
    figures: Mapping[str, Figure] = field(default_factory=dict)
    wait_ms: int | None = None

    @property
    def allowed(self) -> bool:
        """Whether this guard has nothing against a reply now."""
        return self.action is Action.ALLOW

    @property
    def log_line(self) -> str | None:
        """The line for the log, in the seed's words, for a refusal."""
        if self.reason is None:
            return None
        figures = " ".join(f"{name}={value}" for name, value in self.figures.items())
        return f"{LOG_PREFIX} {self.reason} ({figures})" if figures else f"{LOG_PREFIX} {self.reason}"

    def to_json(self) -> dict[str, object]:
        """The verdict as it is stored and answered."""
        return {
            "guard": self.guard,
            "allowed": self.allowed,
            "code": self.code,
            "figures": dict(self.figures),
        }


def milliseconds(seconds: float) -> int:
    """A policy's seconds in the unit the guards compare in."""
    return round(seconds * 1000)
