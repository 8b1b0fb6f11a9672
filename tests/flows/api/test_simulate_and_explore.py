"""Talking to a flow before anybody meets it, and looking for its bad ends."""

from uuid import UUID

import pytest

from conversations.models import Relationship
from flows.models import Exploration, FlowVersion
from flows.services.exploration import LOST_AFTER, requeue_lost_explorations, run_exploration
from tests.cast import Actor, Clock, Opens, accepted, refused
from tests.flows.api.support import SLUG, Visitor, contact_flow, created, heard, published, put, saved


def test_a_script_gets_one_answer_a_line_and_the_first_opens_the_flow(editor: Actor) -> None:
    script = [{}, {"text": "no"}, {"text": "reach me at a@example.com"}]
    played = accepted(editor.post("/flows/simulate", {"definition": contact_flow(), "script": script}))
    assert [heard(answer) for answer in played["trace"]] == [
        [("hello-1", "EXECUTE"), ("mail-1", "EXECUTE")],
        [("mail-1", "RETRY")],
        [],
    ]
    assert played["trace"][0]["reply"]["text"] == "Hello.\n\nYour email address?"
    assert played["trace"][2]["factsProduced"] == ["contact_email"]
    assert played["status"] == "COMPLETE"


def test_a_line_of_the_trace_has_the_shape_of_a_turn(editor: Actor, router: Actor, opened: Opens) -> None:
    published(editor)
    turn = Visitor(router, opened(driver="flow", flow=SLUG)).say()
    played = accepted(editor.post("/flows/simulate", {"slug": SLUG, "script": [{}]}))
    [line] = played["trace"]
    assert line == {**turn, "message_id": None}


def test_facts_given_even_none_replace_reading_the_words(editor: Actor) -> None:
    script = [{}, {"text": "a@example.com", "facts": {}}]
    played = accepted(editor.post("/flows/simulate", {"definition": contact_flow(), "script": script}))
    assert played["trace"][1]["factsProduced"] == []


def test_a_published_version_is_simulated_by_name_and_nothing_is_written(editor: Actor) -> None:
    published(editor)
    saved(editor, {"broken": True})
    for body in ({"slug": SLUG}, {"slug": SLUG, "version": 1}):
        assert accepted(editor.post("/flows/simulate", {**body, "script": [{}]}))["status"] == "OK"
    refused(editor.post("/flows/simulate", {"slug": SLUG, "version": 2, "script": []}), 404, "not_found")
    assert not Relationship.objects.exists()
    assert FlowVersion.objects.count() == 1


def test_a_definition_with_findings_runs_if_it_loads_and_is_refused_if_not(editor: Actor) -> None:
    strange = contact_flow()
    strange["nodes"][1]["runPolicy"] = {"maxExecutions": 1}
    played = accepted(editor.post("/flows/simulate", {"definition": strange, "script": [{}]}))
    assert "retry_dead" in {finding["code"] for finding in played["findings"]}
    strange["nodes"][1]["requires"] = ["NOWHERE"]
    problem = refused(editor.post("/flows/simulate", {"definition": strange, "script": [{}]}), 422, "flow_invalid")
    assert problem["findings"][0]["path"] == "/nodes/1/requires/0"


def test_a_simulation_names_exactly_one_flow_and_a_script_of_bounded_length(editor: Actor) -> None:
    both = {"definition": contact_flow(), "slug": SLUG, "script": []}
    for body in (both, {"script": []}, {"definition": contact_flow(), "script": [{}] * 501}):
        refused(editor.post("/flows/simulate", body), 422, "invalid")


def explored(editor: Actor) -> tuple[str, dict]:
    job = accepted(editor.post(f"/flows/{SLUG}/explore"), 202)["job"]
    waiting = accepted(editor.get(f"/flows/{SLUG}/explore/{job}"))
    assert (waiting["status"], waiting["progress"]) == ("queued", 0)
    run_exploration(UUID(job))
    return job, accepted(editor.get(f"/flows/{SLUG}/explore/{job}"))


def test_exploring_finds_the_handoff_with_a_script_that_leads_there(editor: Actor) -> None:
    created(editor)
    _, found = explored(editor)
    assert (found["status"], found["progress"], found["complete"]) == ("done", 100, True)
    assert found["deadlocks"] == []
    assert [ending["nodeId"] for ending in found["handoffs"]] == ["mail-1"]
    replay = {"definition": contact_flow(), "script": found["handoffs"][0]["dialogue"]}
    assert accepted(editor.post("/flows/simulate", replay))["status"] == "HANDOFF"


def test_exploring_searches_the_draft_as_it_was_when_asked_and_twice_gives_the_same(editor: Actor) -> None:
    created(editor)
    job, found = explored(editor)
    saved(editor, {"broken": True})
    run_exploration(UUID(job))
    assert accepted(editor.get(f"/flows/{SLUG}/explore/{job}")) == found
    refused(editor.post(f"/flows/{SLUG}/explore"), 422, "flow_invalid")
    assert Exploration.objects.count() == 1


def test_a_job_of_another_flow_is_not_found(editor: Actor) -> None:
    created(editor)
    created(editor, slug="other")
    job = accepted(editor.post(f"/flows/{SLUG}/explore"), 202)["job"]
    refused(editor.get(f"/flows/other/explore/{job}"), 404, "not_found")


def test_progress_is_stored_while_the_search_goes_on(editor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.services import exploration

    created(editor)
    seen = []

    def stops_halfway(flow: object, *, progress: object, consecutive_cap: int) -> None:
        progress(50, 100)
        seen.append(Exploration.objects.values_list("status", "progress").get())
        raise RuntimeError("the machine died")

    monkeypatch.setattr(exploration, "explore", stops_halfway)
    job = accepted(editor.post(f"/flows/{SLUG}/explore"), 202)["job"]
    with pytest.raises(RuntimeError):
        run_exploration(UUID(job))
    assert seen == [("running", 50)]
    assert accepted(editor.get(f"/flows/{SLUG}/explore/{job}"))["status"] == "failed"


def test_a_job_the_broker_lost_is_queued_again(editor: Actor, clock: Clock) -> None:
    created(editor)
    accepted(editor.post(f"/flows/{SLUG}/explore"), 202)
    assert requeue_lost_explorations() == 0
    clock.now += LOST_AFTER * 2
    assert requeue_lost_explorations() == 1
    run_exploration(Exploration.objects.get().pk)
    assert requeue_lost_explorations() == 0


def test_talks_and_searches_obey_the_policy_in_force_as_a_conversation_does(
    editor: Actor, router: Actor, opened: Opens
) -> None:
    patient = contact_flow()
    patient["nodes"][1]["retryPolicy"] = {"maxAttempts": 9, "onExhaust": "HANDOFF"}
    created(editor, patient)
    _, calm = explored(editor)
    accepted(put(editor, "/guards/policy", {"flow": {"consecutive_cap": 3}}))
    script = [{}, {"text": "no"}, {"text": "never"}]
    played = accepted(editor.post("/flows/simulate", {"definition": patient, "script": script}))
    accepted(editor.post(f"/flows/{SLUG}/publish", {"note": "as played"}), 201)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    lived = [visitor.say(line.get("text", "")) for line in script]
    assert [heard(answer) for answer in played["trace"]] == [heard(answer) for answer in lived]
    assert played["trace"][2]["decisions"][0]["reasonCodes"] == ["LOOP_GUARD"]
    _, strict = explored(editor)
    [ending] = strict["handoffs"]
    assert ending["reasonCodes"] == ["LOOP_GUARD"]
    assert len(ending["dialogue"]) == 3 < len(calm["handoffs"][0]["dialogue"])
