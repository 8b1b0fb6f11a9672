"""The same call with the same answer."""

from __future__ import annotations

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding, graded
from guards.loops.memory import CallMemory, DetectorState
from guards.loops.text import likeness
from guards.loops.thresholds import Thresholds

AT_ONCE = 0.85
APART = 0.5


def repeated_call(state: DetectorState, call: CallMemory, numbers: Thresholds) -> Finding | None:
    """Equal or no answer as well: twice at once is redundant, three times in the window infinite (L4b)."""
    candidates = [c for c in state.calls if c.key == call.key or c.is_code]
    earlier = [c for c in candidates if c is not call and _same(c, call, numbers)]
    if not earlier:
        return None
    count = len(earlier) + 1
    evidence = (*(c.index for c in earlier), call.index)
    name = call.operation or "unnamed call"
    if count >= numbers.equal_calls:
        return finding(
            Rule.REPEATED_CALL,
            (LoopType.INFINITE, LoopAction.STOP),
            graded(count, numbers.equal_calls, base=0.9),
            evidence,
            f"{name} repeated {count} times with the same answer",
        )
    return finding(
        Rule.REPEATED_CALL,
        (LoopType.REDUNDANT, LoopAction.SKIP),
        AT_ONCE if _immediately_after(state, earlier[-1], call) else APART,
        evidence,
        f"{name} repeated with the same answer",
    )


def _same(one: CallMemory, other: CallMemory, numbers: Thresholds) -> bool:
    if one.key == other.key and one.answers_alike(other):
        return True
    # Code is rarely repeated to the letter: nearly the same program with nearly the same output is a repeat.
    return (
        one.is_code
        and other.is_code
        and one.operation == other.operation
        and one.outcome is not None
        and other.outcome is not None
        and not (one.was_cut or other.was_cut)
        and likeness(one.words, other.words) >= numbers.code_likeness
        and likeness(one.answer_words, other.answer_words) >= numbers.code_likeness
    )


def _immediately_after(state: DetectorState, previous: CallMemory, call: CallMemory) -> bool:
    """Nothing in between but calls without an answer, such as thinking aloud."""
    if state.last_person_message > previous.index:
        return False
    return not any(c.answer for c in state.calls if previous.index < c.index < call.index)
