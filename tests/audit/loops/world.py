"""Conversations to label."""

from typing import Any

from conversations.models import LoopFinding
from tests.cast import Actor, Opens, accepted


def steps(router: Actor, run: str, operations: list[str]) -> list[dict[str, Any]]:
    return [
        accepted(router.post(f"{run}/steps", {"step_id": str(n), "operation": name, "response": f"did {name}"}))
        for n, name in enumerate(operations)
    ]


def looping(router: Actor, opened: Opens, **terms: Any) -> tuple[str, str]:
    """A workflow with an alarm: its path and the first finding's id."""
    run = opened(driver="workflow", **terms)
    steps(router, run, ["list", "list", "list"])
    finding = LoopFinding.objects.filter(relationship=run.rpartition("/")[2]).order_by("seq")[0]
    return run, str(finding.pk)


def quiet(router: Actor, opened: Opens, *, length: int = 2) -> str:
    """A workflow without an alarm, ended."""
    run = opened(driver="workflow")
    steps(router, run, [f"op{n}" for n in range(length)])
    accepted(router.post(f"{run}/close", {"closure_type": "completed"}))
    return run
