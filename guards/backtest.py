"""What another policy would have decided, message by message, in the history as it happened.

Pure. Each recorded context is judged on its own: a reply that the other policy would have held back is
not taken out of the contexts of later messages.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from guards.chain import ThreadDecision, decide
from guards.policies.context import ThreadContext
from guards.policy_document import ThreadPolicy


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A past message: where to find it, what the guards saw, and which settings they used."""

    reference: str
    context: ThreadContext
    policy: ThreadPolicy


@dataclass(frozen=True, slots=True)
class Difference:
    """One message that would have fared differently; `guards` are those whose verdict changed."""

    reference: str
    thread: str
    event_id: str
    before: ThreadDecision
    after: ThreadDecision
    guards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BacktestReport:
    """How many messages were examined and which would have been decided differently.

    `not_replayed` names changed settings whose effect the records cannot tell: a context keeps how many
    threads were active under the window of its day, not when each was.
    """

    examined: int
    differences: tuple[Difference, ...]
    not_replayed: tuple[str, ...]


def backtest(records: Iterable[RecordedDecision], policy: ThreadPolicy) -> BacktestReport:
    """Decide every recorded message under its own policy and under `policy`, and compare."""
    differences: list[Difference] = []
    examined, window_changed = 0, False
    for record in records:
        examined += 1
        window_changed |= record.policy.active_window_minutes != policy.active_window_minutes
        before, after = decide(record.context, record.policy), decide(record.context, policy)
        if _answer(before) != _answer(after):
            differences.append(_difference(record, before, after))
    not_replayed = ("threads.active_window_minutes",) if window_changed else ()
    return BacktestReport(examined, tuple(differences), not_replayed)


def _answer(decision: ThreadDecision) -> tuple[object, ...]:
    """What somebody outside would notice of a decision."""
    return decision.action, decision.code, decision.persona, decision.delay_ms


def _difference(record: RecordedDecision, before: ThreadDecision, after: ThreadDecision) -> Difference:
    changed = tuple(
        old.guard
        for old, new in zip(before.verdicts, after.verdicts, strict=True)
        if (old.action, old.code) != (new.action, new.code)
    )
    context = record.context
    return Difference(record.reference, context.thread, context.event_id, before, after, changed)
