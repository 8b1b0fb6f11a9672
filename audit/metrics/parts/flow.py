"""Seed 001's figures of one run, so that sums of them give F22's rates."""

from collections import Counter
from collections.abc import Iterator

from audit.metrics.keys import Amount, Measure, Part
from audit.metrics.talks import Talk
from flows.engine.figures import conversation_figures
from flows.engine.runtime import Mode, Status


def parts(talk: Talk) -> Iterator[Part]:
    if talk.status is None:
        return
    counted = conversation_figures(talk.log)
    yield Part(Measure.FLOW_STARTED, talk.begun, amount=Amount(1, counted.turns))
    if talk.closed is not None:
        yield Part(Measure.FLOW_CLOSED, talk.begun)
        if talk.status is Status.COMPLETE:
            yield Part(Measure.FLOW_COMPLETE, talk.begun)
        elif talk.log:
            yield Part(Measure.NODE_DROPPED, talk.begun, talk.log[-1].node_id)
    if counted.handoffs:
        yield Part(Measure.FLOW_HANDED, talk.begun)
    if talk.status is Status.DEADLOCK:
        yield Part(Measure.FLOW_DEADLOCK, talk.begun)
    by_node = {
        Measure.NODE_TRIED: counted.attempts_by_node,
        Measure.NODE_RETRIED: lines(talk, Mode.RETRY),
        Measure.NODE_HANDED: lines(talk, Mode.HANDOFF),
        Measure.GATE: counted.gates,
    }
    for measure, figures in by_node.items():
        for subject, total in figures.items():
            yield Part(measure, talk.begun, subject, Amount(1, total))


def lines(talk: Talk, mode: Mode) -> Counter[str]:
    return Counter(entry.node_id for entry in talk.log if entry.mode is mode)
