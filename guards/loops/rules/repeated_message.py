"""A request or a refusal in deadlock."""

from __future__ import annotations

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding, graded
from guards.loops.memory import MessageMemory
from guards.loops.text import looks_like_code, looks_like_record, names_and_numbers
from guards.loops.thresholds import Thresholds

Alike = list[tuple[MessageMemory, float]]  # earlier messages of the same actor with their likeness


def repeated_message(said: MessageMemory, alike: Alike, numbers: Thresholds) -> Finding | None:
    """One actor saying nearly the same again: likeness adds up, so that a fainter echo must return more often."""
    formal = looks_like_record(said.text) or looks_like_code(said.text)
    brief = said.by_person or len(said.words) < numbers.message_words
    # Records and code resemble each other by form, short sentences by chance, people by habit: more is asked of those.
    least = numbers.code_likeness if formal else numbers.echo_likeness if brief else numbers.message_likeness
    near = [
        (earlier, degree)
        for earlier, degree in alike
        if degree >= least and not (degree >= numbers.template_likeness and fills_a_template(earlier, said))
    ]
    if not near or len(said.words) < numbers.message_least_words:
        return None
    times = 1 + sum(1.0 if degree >= numbers.echo_likeness else degree for _, degree in near)
    return finding(
        Rule.REPEATED_MESSAGE,
        (LoopType.STUCK, LoopAction.STOP),
        graded(times, numbers.messages + brief),
        (*(earlier.index for earlier, _ in near), said.index),
        f"{said.actor.rstrip('/') or 'somebody'} said nearly the same {len(near) + 1} times",
    )


def fills_a_template(earlier: MessageMemory, said: MessageMemory) -> bool:
    """The same sentence about something else: one confirmation per item, an offer with a falling price."""
    if earlier.text == said.text:
        return False
    before, now = names_and_numbers(earlier.text), names_and_numbers(said.text)
    return bool(before - now) and bool(now - before)
