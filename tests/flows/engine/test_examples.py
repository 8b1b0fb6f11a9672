"""The flows that ship are sound and can be completed."""

import json
from pathlib import Path

import pytest

import flows
from flows.engine.compiled import load
from flows.engine.explore import explore
from flows.engine.simulate import Line, simulate
from flows.engine.validation import validate, validate_text
from tests.flows.engine.support import Talk

EXAMPLES = Path(flows.__file__).parent / "examples"
TALKS = {
    "fitness_booking": [
        {"goal_target": "300 lbs", "goal_baseline": "225 lbs"}, {}, {"email": "john@example.com"},
        {"booking_date": "2026-01-20"}, {"booking_type": "intake"},
    ],
    "support_triage": [
        {"issue_kind": "refund"}, {"order": "AB-123456"}, {"description": "It broke."}, {"urgency": "today"},
    ],
    "bank_onboarding_nl": [
        {}, {"toestemming": "ja"}, {"naam": "J. Jansen", "geboortedatum": "1990-05-01"},
        {"postcode": "1012 AB", "huisnummer": "5"}, {"telefoon": "+31612345678"},
        {"rekeningsoort": "spaarrekening"}, {"akkoord": "akkoord"},
    ],
}  # fmt: skip


def document(name):
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def test_every_example_has_a_talk():
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(TALKS)


@pytest.mark.parametrize("name", TALKS)
def test_the_example_validates_without_errors_or_warnings(name):
    report = validate_text((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    assert report.ok
    assert [finding.message for finding in report.findings if finding.level == "warning"] == []
    assert report.happy_path
    assert report.turn_bound


@pytest.mark.parametrize("name", TALKS)
def test_the_example_completes_and_every_turn_says_something(name):
    lines = [Line(), *(Line("…", facts) for facts in TALKS[name])]
    played = simulate(load(document(name)), lines)
    assert played.state.status == "COMPLETE"
    assert all(answer.reply() for answer in played.trace)
    assert played.state.turn_index <= validate(document(name)).turn_bound


@pytest.mark.parametrize("name", TALKS)
def test_the_happy_path_is_what_a_cooperative_visitor_meets(name):
    talk = Talk(document(name))
    talk.say()
    while talk.status in ("OK", "POST_GOAL"):
        talk.say(**dict.fromkeys(talk.state.open_prompt.scope, "x"))
    assert tuple(line.split(":")[0] for line in talk.heard) == validate(document(name)).happy_path


@pytest.mark.parametrize("name", TALKS)
def test_the_example_never_deadlocks(name):
    found = explore(load(document(name)), max_states=3_000)
    assert found.deadlocks == ()
    assert found.handoffs
