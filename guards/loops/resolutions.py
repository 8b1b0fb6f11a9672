"""Ways out of a loop, and how hard to insist on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.findings import Rule
from guards.loops.loop_detection import LoopAnalysis

_RESOLUTIONS: dict[Rule, tuple[tuple[str, str], ...]] = {
    Rule.REPEATED_CALL: (
        ("use_known_result", "Use the answer already given instead of calling again."),
        ("change_arguments", "Call with other arguments, or wait until the answer can have changed."),
        ("hand_off", "Let a person decide whether to go on."),
    ),
    Rule.REPEATED_ERROR: (
        ("read_the_error", "Correct the arguments as the error says before calling again."),
        ("use_other_operation", "Reach the goal by another operation."),
        ("hand_off", "Let a person repair what fails."),
    ),
    Rule.REWORDED_CALL: (
        ("change_source", "Ask elsewhere: other wordings of this question bring nothing new."),
        ("answer_with_what_is_known", "Answer from what has been found and say what is missing."),
        ("hand_off", "Let a person look."),
    ),
    Rule.REPEATED_MESSAGE: (
        ("offer_an_alternative", "Stop repeating: offer another way, or say plainly that there is none."),
        ("hand_off", "Let a person take over the conversation."),
    ),
    Rule.CYCLE: (
        ("break_the_round", "Let one party decide; the same round will bring the same end."),
        ("hand_off", "Let a person decide between the parties."),
    ),
    Rule.CHANTING: (
        ("regenerate", "Discard the message and write it anew with other settings."),
        ("hand_off", "Let a person answer."),
    ),
    Rule.NO_PROGRESS: (
        ("stop_and_diagnose", "Find out what the failures have in common before the next step."),
        ("hand_off", "Let a person look."),
    ),
}


@dataclass(frozen=True, slots=True)
class ResolutionStrategy:
    """A way out of a loop; a higher priority first."""

    strategy: str
    description: str
    priority: float


def suggest_resolution(analysis: LoopAnalysis) -> tuple[ResolutionStrategy, ...]:
    """Ways out, the best first; none without a loop."""
    if analysis.rule is None:
        return ()
    ways = _RESOLUTIONS[analysis.rule]
    return tuple(
        ResolutionStrategy(name, text, round(analysis.confidence * (1.0 - 0.2 * place), 2))
        for place, (name, text) in enumerate(ways)
    )


class Level(StrEnum):
    """What the pipeline does about a loop, from gentle to final."""

    NONE = "none"
    WARN = "warn"
    NUDGE = "nudge"
    HAND_OFF = "hand_off"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Escalation:
    """The step to take, with a hint the agent can read."""

    level: Level
    hint: str
    alarms: int


NO_ESCALATION = Escalation(Level.NONE, "", 0)


def escalate(
    analysis: LoopAnalysis, alarms: int, config: WorkflowConfig = DEFAULT_CONFIG, *, can_hand_off: bool = True
) -> Escalation:
    """By the number of alarms of the run, this one included: warn, then nudge, at max_retries hand off or close."""
    if not analysis.has_loop or analysis.rule is None:
        return replace(NO_ESCALATION, alarms=alarms)
    if alarms >= config.max_retries:
        level = Level.HAND_OFF if can_hand_off else Level.CLOSE
    else:
        level = Level.WARN if alarms <= 1 else Level.NUDGE
    advice = _RESOLUTIONS[analysis.rule][0][1]
    return Escalation(level, f"{analysis.detail[:1].upper()}{analysis.detail[1:]}. {advice}", alarms)
