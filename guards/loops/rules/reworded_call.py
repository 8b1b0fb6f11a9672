"""The same question in other words."""

from __future__ import annotations

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding, graded
from guards.loops.memory import CallMemory, DetectorState, Words
from guards.loops.text import likeness
from guards.loops.thresholds import Thresholds

LESS = 4  # words fewer
NEAR = 6  # wordings compared: more would not make the finding surer


def reworded_call(state: DetectorState, call: CallMemory, numbers: Thresholds) -> Finding | None:
    """An operation asked again although the earlier wordings brought nothing new."""
    barren = [c.index for c in state.calls if c.index in call.near and not c.brought_news]
    if not barren:
        return None
    count = len(barren) + 1
    return finding(
        Rule.REWORDED_CALL,
        (LoopType.STUCK, LoopAction.RETRY),
        graded(count, numbers.reworded_calls),
        (*barren, call.index),
        f"{call.operation or 'unnamed call'} asked {count} times in other words",
    )


def place(state: DetectorState, call: CallMemory, numbers: Thresholds) -> None:
    """Note the latest calls of which this one is a rewording, and the batch of questions it belongs to."""
    call.batch = call.index
    if call.is_code or len(call.words) < numbers.reworded_words:
        return  # code is left to the rule of repeated calls
    near: list[int] = []
    least = numbers.reworded_likeness
    for earlier in reversed(state.calls):
        if earlier.operation != call.operation or earlier.is_code or earlier.batch == call.batch:
            continue
        if likeness(earlier.words, call.words, least) < least:
            continue
        if _asks_about_another(earlier, call):
            call.batch = earlier.batch
        elif not _asks_for_less(earlier, call):
            near.append(earlier.index)
            if len(near) == NEAR:
                break
    call.near = tuple(near)


def brings_news(state: DetectorState, call: CallMemory, numbers: Thresholds) -> bool:
    """The answer resembles none of the answers to the calls this one rewords: paging, polling, a new find."""
    answered = [c for c in state.calls if c.index in call.near and c.outcome is not None]
    least = numbers.same_news_likeness
    return bool(answered) and not any(
        likeness(call.answer_words, c.answer_words, least) >= least for c in reversed(answered)
    )


def _asks_for_less(earlier: CallMemory, call: CallMemory) -> bool:
    """What was done is left out, or one part is gone into; a word or two less is only another wording."""
    dropped, added = earlier.words - call.words, call.words - earlier.words
    if len(dropped) <= 2 * len(added):
        return False
    return len(dropped) >= LESS or (len(dropped) > 1 and _same_order(earlier, call, dropped, added))


def _asks_about_another(earlier: CallMemory, call: CallMemory) -> bool:
    """One or two words, or nothing but figures, were put in place of others in an otherwise equal sentence."""
    dropped, added = earlier.words - call.words, call.words - earlier.words
    if not dropped or not added:
        return False
    if max(len(dropped), len(added)) > 2 and not all(any(map(str.isdigit, word)) for word in added | dropped):
        return False
    return _same_order(earlier, call, dropped, added)


def _same_order(earlier: CallMemory, call: CallMemory, dropped: Words, added: Words) -> bool:
    return [w for w in earlier.sequence if w not in dropped] == [w for w in call.sequence if w not in added]
