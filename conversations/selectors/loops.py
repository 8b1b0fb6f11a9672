"""What the loop review remembers and has found."""

from conversations.domain.loops import Watch
from conversations.models import LoopWatch, Relationship
from guards.loops.review import WorkflowRun


def stored_watch(relationship: Relationship) -> LoopWatch | None:
    """The row as this transaction has it; read once, then kept with the relationship by its projection."""
    return getattr(relationship, "loop_watch", None)


def watch_of(relationship: Relationship) -> Watch:
    """The watch to go on from; one that never moved is empty."""
    stored = stored_watch(relationship)
    if stored is None:
        return Watch()
    return Watch(
        run=WorkflowRun.from_json(stored.run),
        rules=tuple(stored.rules),
        length=stored.length,
        peak=stored.peak,
        peak_rule=stored.peak_rule,
    )
