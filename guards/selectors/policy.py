"""The policy in force. Read anew each time, so that a change applies at once."""

from dataclasses import dataclass
from typing import Any

from guards.models import PolicyVersion
from guards.policy_document import DEFAULT_POLICY, PolicyDocument, from_json
from guards.policy_form import differences


@dataclass(frozen=True, slots=True)
class PolicyInForce:
    """Version 0 is the seeds' defaults, before anybody changed a number."""

    version: int
    document: PolicyDocument


def policy_in_force() -> PolicyInForce:
    newest = PolicyVersion.objects.order_by("-version").first()
    if newest is None:
        return PolicyInForce(0, DEFAULT_POLICY)
    return PolicyInForce(newest.version, from_json(newest.document))


def flow_consecutive_cap() -> int:
    """`flow.consecutive_cap` as it is now: what `FLOW_CONSECUTIVE_CAP` names."""
    return policy_in_force().document.flow.consecutive_cap


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """A version as its author made it: what it changed from the one before."""

    row: PolicyVersion
    changes: list[tuple[str, Any, Any]]


def policy_history() -> list[PolicyChange]:
    """Every version, newest first."""
    history, before = [], DEFAULT_POLICY
    for row in PolicyVersion.objects.order_by("version"):
        document = from_json(row.document)
        history.append(PolicyChange(row, differences(before, document)))
        before = document
    return history[::-1]


def policies_by_version() -> dict[int, PolicyDocument]:
    """Every policy that was ever in force."""
    stored = {row.version: from_json(row.document) for row in PolicyVersion.objects.all()}
    return {0: DEFAULT_POLICY, **stored}
