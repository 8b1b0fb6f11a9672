"""`POST /loops/analyze`: the same answer as for a step, about a whole recorded run, and nothing kept."""

import pytest

from tests.cast import Actor, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db
CALL = {"actor": "agent", "kind": "tool_call", "operation": "list", "parameters": {"day": 1}}
RESULT = {"actor": "env", "kind": "tool_result", "operation": "list", "text": "partial"}


def test_a_recorded_loop_is_recognised_and_nothing_is_kept(router: Actor) -> None:
    before = snapshot()
    answer = accepted(router.post("/loops/analyze", {"original_request": "list", "steps": [CALL, RESULT] * 3}))
    assert answer["analysis"]["has_loop"] is True
    assert answer["decision"]["next_action"] in ("stop", "skip")
    assert (answer["step_id"], answer["duplicate"], answer["finding_id"]) == (None, False, None)
    assert snapshot() == before


def test_the_configuration_can_be_tried_out(editor: Actor) -> None:
    body = {"steps": [CALL, RESULT] * 2, "config": {"loop_detection_threshold": 0.95}}
    assert accepted(editor.post("/loops/analyze", body))["analysis"]["has_loop"] is False


def test_no_steps_are_no_loop(operator: Actor) -> None:
    assert accepted(operator.post("/loops/analyze", {"steps": []}))["analysis"]["has_loop"] is False


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"steps": "none"},
        {"steps": [{"kind": "shout"}]},
        {"steps": [{"kind": "tool_call"}]},
        {"steps": [CALL], "config": {"max_steps": 0}},
        {"steps": [CALL], "config": {"no_such": 1}},
    ],
)
def test_bad_input_is_refused_by_name(router: Actor, body: dict) -> None:
    assert refused(router.post("/loops/analyze", body), 422, "invalid")["errors"]


def test_an_auditor_reads_and_does_not_try_things_out(auditor: Actor) -> None:
    refused(auditor.post("/loops/analyze", {"steps": []}), 403, "forbidden")
