"""Saved conversations: what a flow promised yesterday it keeps today, or is not published.

Their words are read by rule also where a model is configured: the same talk must go the same way every time, and
publishing replays them under the flow's lock, where nobody may think for seconds.
"""

from typing import Any

from django.utils import timezone

from flows.engine.simulate import Simulation
from flows.errors import FlowInvalidError
from flows.extraction.typed import TypedExtractor
from flows.models import Flow, FlowScript
from flows.selectors.flows import flow_by
from flows.services.simulation import lines_of, simulated

BY_RULE = TypedExtractor()


def save_script(*, slug: str, name: str, script: list[dict[str, Any]], author: str) -> FlowScript:
    """Keeps a conversation with the draft, and how it went."""
    flow = flow_by(slug)
    expected = outcome_of(simulated(flow.draft, lines_of(script), by=BY_RULE))
    kept, _ = FlowScript.objects.update_or_create(
        flow=flow,
        name=name,
        defaults={"script": script, "expected": expected, "author": author, "created_at": timezone.now()},
    )
    return kept


def delete_script(*, slug: str, name: str) -> None:
    FlowScript.objects.filter(flow__slug=slug, name=name).delete()


def outcome_of(simulation: Simulation) -> dict[str, Any]:
    """What a saved conversation holds a flow to: the nodes chosen, how, and the end."""
    return {
        "status": simulation.state.status.value,
        "decisions": [
            [spoken.decision.node_id, spoken.decision.mode and spoken.decision.mode.value]
            for answer in simulation.trace
            for spoken in answer.spoken
        ],
    }


def failing_scripts(flow: Flow, definition: dict[str, Any]) -> list[dict[str, Any]]:
    """The saved conversations that go differently with this definition, with both outcomes."""
    failing = []
    for saved in flow.scripts.all():
        try:
            now = outcome_of(simulated(definition, lines_of(saved.script), by=BY_RULE))
        except FlowInvalidError as problem:
            now = {"status": problem.code, "decisions": []}
        if now != saved.expected:
            failing.append({"name": saved.name, "expected": saved.expected, "found": now})
    return failing
