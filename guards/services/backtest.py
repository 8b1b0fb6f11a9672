"""Trying a changed policy on recorded decisions before it is put into force."""

from collections.abc import Iterable
from typing import Any

from guards.backtest import Difference, RecordedDecision, backtest
from guards.chain import ThreadDecision
from guards.selectors.policy import policy_in_force
from guards.services.policy import merged

MAX_SHOWN = 500


def try_policy(records: Iterable[RecordedDecision], *, partial: Any) -> dict[str, Any]:
    """Lays a partial document over the policy in force and says what it would have changed; writes nothing."""
    policy = merged(policy_in_force().document, partial)
    report = backtest(records, policy.threads)
    return {
        "examined": report.examined,
        "differing": len(report.differences),
        "not_replayed": list(report.not_replayed),
        "differences": [difference_json(difference) for difference in report.differences[:MAX_SHOWN]],
    }


def difference_json(difference: Difference) -> dict[str, Any]:
    return {
        "reference": difference.reference,
        "thread": difference.thread,
        "event_id": difference.event_id,
        "before": decision_json(difference.before),
        "after": decision_json(difference.after),
        "guards": list(difference.guards),
    }


def decision_json(decision: ThreadDecision) -> dict[str, Any]:
    return {
        "action": decision.action.value,
        "code": decision.code,
        "persona": decision.persona,
        "delay_seconds": None if decision.delay_ms is None else decision.delay_ms / 1000,
    }
