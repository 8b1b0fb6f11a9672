"""The incremental detector: one bounded piece of work a step, never a second pass."""

from __future__ import annotations

from collections.abc import Collection

from guards.loops import rules
from guards.loops.findings import Finding, Rule
from guards.loops.memory import TOLD, CallMemory, DetectorState, MessageMemory
from guards.loops.steps import Step, StepKind
from guards.loops.text import (
    beyond_excerpt,
    call_identity,
    digest,
    excerpt,
    likeness,
    looks_like_code,
    names_and_numbers,
    prose,
    reads_like_error,
    unpacked,
)
from guards.loops.thresholds import DEFAULT, Thresholds

_PEOPLE = frozenset({"user", "human", "customer", "visitor"})
NAME_LENGTH = 80


def is_person(actor: str) -> bool:
    """Whether this is the name of a person's part in a conversation."""
    return actor.lower() in _PEOPLE


class LoopDetector:
    """Feed it steps in order; each answer holds what that step revealed."""

    def __init__(
        self,
        state: DetectorState | None = None,
        numbers: Thresholds = DEFAULT,
        disabled: Collection[Rule] = (),
    ) -> None:
        self.state = state or DetectorState()
        self._numbers = numbers
        self._disabled = frozenset(disabled)

    def observe(self, step: Step, index: int | None = None) -> list[Finding]:
        """Take in one step; the findings it gives rise to, surest first.

        Evidence names steps by `index`, by default their place in the sequence; a caller for whom a call and
        its result are one step gives both the same.
        """
        state = self.state
        at = state.position if index is None else index
        state.position += 1
        if step.kind is StepKind.TOOL_CALL:
            found = self._on_call(step, at)
        elif step.kind is StepKind.TOOL_RESULT:
            found = self._on_result(step, at)
        else:
            found = self._on_message(step, at)
        if state.runs:
            found.append(rules.cycle(state))
        kept = [f for f in found if f is not None and f.rule not in self._disabled]
        return sorted(kept, key=lambda f: -f.confidence) if len(kept) > 1 else kept

    def _on_call(self, step: Step, at: int) -> list[Finding | None]:
        state = self.state
        parameters = unpacked(step.parameters)
        asked = excerpt(prose(parameters))
        call = CallMemory(
            index=at,
            operation=step.operation[:NAME_LENGTH],
            key=call_identity(step.operation, parameters),
            asked=asked,
            is_code=looks_like_code(asked),
            epoch=state.epoch,
        )
        rules.place(state, call, self._numbers)
        state.calls.append(call)
        self._push_symbol(call.key, at)
        found: list[Finding | None] = []
        if call.near:
            found.append(rules.reworded_call(state, call, self._numbers))
        if any(c.key == call.key and c.outcome is None for c in state.calls if c is not call):
            found.append(rules.repeated_call(state, call, self._numbers))
        return found

    def _on_result(self, step: Step, at: int) -> list[Finding | None]:
        state = self.state
        # A cut answer is like no other: asking again for the rest is not repeating oneself (L1).
        name = f"cut:{state.position}" if step.truncated else digest(step.text)
        self._push_symbol(name, at)
        call = self._call_answered_by(step.operation[:NAME_LENGTH])
        if call is None:
            return []
        call.outcome, call.was_cut = name, step.truncated
        call.answer, call.beyond_answer = excerpt(step.text), beyond_excerpt(step.text)
        call.failed = not step.truncated and (step.error or reads_like_error(step.text))
        call.brought_news = step.truncated or rules.brings_news(state, call, self._numbers)
        return [
            rules.repeated_call(state, call, self._numbers),
            rules.repeated_error(state, call, self._numbers),
            rules.no_progress(state) if call.failed else None,
        ]

    def _on_message(self, step: Step, at: int) -> list[Finding | None]:
        state = self.state
        said = MessageMemory(
            index=at,
            actor=f"{step.actor[:NAME_LENGTH]}/{step.operation[:NAME_LENGTH]}",
            key=digest(step.text),
            text=excerpt(step.text),
            by_person=is_person(step.actor),
        )
        if said.by_person:
            self._hear_out(said)
        alike = [
            (m, likeness(m.words, said.words, self._numbers.message_likeness))
            for m in state.messages
            if m.actor == said.actor
        ]
        # Messages that say the same share a symbol, so that a reworded round is still a round.
        for earlier, degree in alike:
            if degree >= self._numbers.echo_likeness and not rules.fills_a_template(earlier, said):
                said.key = earlier.key
                break
        self._push_symbol(f"{said.actor}:{said.key}", at)
        state.messages.append(said)
        return [
            rules.repeated_message(said, alike, self._numbers),
            rules.chanting(at, step.text, self._numbers),
        ]

    def _hear_out(self, said: MessageMemory) -> None:
        """A person's message is a new beginning only if it brings new information."""
        state = self.state
        state.last_person_message = said.index
        news = [item for item in names_and_numbers(said.text) if item not in state.told]
        if news:
            state.epoch += 1
        state.told.update(dict.fromkeys(sorted(news)))
        while len(state.told) > TOLD:
            del state.told[next(iter(state.told))]

    def _call_answered_by(self, operation: str) -> CallMemory | None:
        """The last open call of that name; agents that answer under another name answer the last open one."""
        last_open = None
        for call in reversed(self.state.calls):
            if call.outcome is None:
                if call.operation == operation:
                    return call
                last_open = last_open or call
        return last_open

    def _push_symbol(self, symbol: str, at: int) -> None:
        """Keep, for each period, for how many steps the sequence has equalled itself that much earlier."""
        state = self.state
        if symbol in state.symbols:
            back = enumerate(reversed(state.symbols), start=1)
            state.runs = {period: state.runs.get(period, 0) + 1 for period, seen in back if seen == symbol}
        elif state.runs:
            state.runs = {}
        state.symbols.append(symbol)
        state.trail.append(at)
