"""What counts as a time to claim and a time to resolve."""

from datetime import UTC, datetime, timedelta

import pytest

from audit.metrics.keys import Measure
from audit.metrics.parts.handoffs import parts
from audit.metrics.talks import Talk
from conversations.domain.events import CLOSURE, Recorded
from conversations.domain.handoff import CLAIMED, REQUESTED, RESOLVED, RETURNED

BEGUN = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("happened", "standing", "timed"),
    [
        ([REQUESTED], "waiting", {}),
        ([REQUESTED, CLAIMED], "claimed", {Measure.CLAIM: 60_000}),
        ([REQUESTED, CLAIMED, RETURNED], "returned", {Measure.CLAIM: 60_000, Measure.RESOLVE: 120_000}),
        ([REQUESTED, CLAIMED, RESOLVED, CLOSURE], "resolved", {Measure.CLAIM: 60_000, Measure.RESOLVE: 120_000}),
        # nobody resolved what merely ended
        ([REQUESTED, CLOSURE], "ended", {}),
        ([REQUESTED, CLAIMED, CLOSURE], "ended", {Measure.CLAIM: 60_000}),
    ],
)
def test_only_what_somebody_was_through_with_has_a_time_to_resolve(
    happened: list[str], standing: str, timed: dict[Measure, int]
) -> None:
    events = [
        Recorded(seq, kind, BEGUN + timedelta(minutes=seq), "system", None, hash="")
        for seq, kind in enumerate(happened, start=1)
    ]
    told = list(parts(Talk(channel="rest", driver="relay", flow="", begun=BEGUN, events=events)))
    assert [part.subject for part in told if part.measure == Measure.HANDOFF] == [standing]
    assert {part.measure: part.amount.total for part in told if part.measure != Measure.HANDOFF} == timed
