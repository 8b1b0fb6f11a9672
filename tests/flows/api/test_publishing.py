"""Publishing: only what holds, numbered, immutable, and reversible by going forward."""

import pytest

from flows.models import FlowScript, FlowVersion
from flows.services.scripts import save_script
from tests.cast import Actor, accepted, refused
from tests.flows.api.support import SLUG, codes, contact_flow, created, published, saved


def renamed(name: str) -> dict:
    return contact_flow(name=name)


def test_what_is_published_is_numbered_and_hashed(editor: Actor) -> None:
    first = published(editor)
    assert (first["version"], first["note"], len(first["hash"])) == (1, "first", 64)
    saved(editor, renamed("second"))
    second = accepted(editor.post(f"/flows/{SLUG}/publish"), 201)
    assert second["version"] == 2
    assert second["hash"] != first["hash"]
    listed = accepted(editor.get(f"/flows/{SLUG}/versions"))["results"]
    assert [each["version"] for each in listed] == [2, 1]


def test_a_version_stays_what_it_was_whatever_becomes_of_the_draft(editor: Actor) -> None:
    first = published(editor)
    saved(editor, {"broken": True})
    kept = accepted(editor.get(f"/flows/{SLUG}/versions/1"))
    assert (kept["definition"], kept["hash"]) == (contact_flow(), first["hash"])


def test_an_error_blocks_publishing_and_names_its_place(editor: Actor) -> None:
    document = contact_flow()
    document["nodes"][1]["requires"] = ["NOWHERE"]
    created(editor, document)
    problem = refused(editor.post(f"/flows/{SLUG}/publish"), 422, "flow_invalid")
    assert ("undefined_gate", "/nodes/1/requires/0") in codes(problem["findings"])
    assert not FlowVersion.objects.exists()


def test_a_saved_conversation_that_ends_differently_blocks_publishing(editor: Actor) -> None:
    published(editor)
    save_script(slug=SLUG, name="mail at once", script=[{}, {"text": "a@example.com"}], author="editor")
    changed = contact_flow()
    changed["nodes"].reverse()
    changed["nodes"][0]["importance"] = "high"
    saved(editor, changed)
    failed = refused(editor.post(f"/flows/{SLUG}/publish"), 422, "scripts_failed")["scripts"]
    assert [each["name"] for each in failed] == ["mail at once"]
    assert failed[0]["expected"] != failed[0]["found"]
    assert FlowVersion.objects.count() == 1
    FlowScript.objects.all().delete()
    accepted(editor.post(f"/flows/{SLUG}/publish"), 201)


def test_a_diff_names_what_was_added_removed_and_changed(editor: Actor) -> None:
    published(editor)
    changed = renamed("Contact, again")
    del changed["facts"]
    changed["nodes"].append({"id": "extra", "runPolicy": {"maxExecutions": 1}, "requires": ["CONTACT"]})
    saved(editor, changed)
    accepted(editor.post(f"/flows/{SLUG}/publish"), 201)
    found = accepted(editor.call("GET", f"/flows/{SLUG}/diff?from=1&to=2"))
    assert (found["added"], found["removed"]) == (["/nodes/extra"], ["/facts"])
    assert found["changed"] == [{"path": "/name", "from": "Contact", "to": "Contact, again"}]


@pytest.mark.parametrize("query", ["", "?from=1", "?from=1&to=9", "?from=one&to=1", "?from=1&to=²"])
def test_a_diff_with_a_version_that_is_not_there_is_not_found(editor: Actor, query: str) -> None:
    published(editor)
    refused(editor.call("GET", f"/flows/{SLUG}/diff{query}"), 404, "not_found")


def test_rolling_back_publishes_the_old_content_as_a_new_version(editor: Actor) -> None:
    first = published(editor)
    saved(editor, renamed("second"))
    accepted(editor.post(f"/flows/{SLUG}/publish"), 201)
    third = accepted(editor.post(f"/flows/{SLUG}/rollback", {"version": 1}), 201)
    assert (third["version"], third["hash"]) == (3, first["hash"])
    refused(editor.post(f"/flows/{SLUG}/rollback", {"version": 9}), 404, "not_found")
    assert FlowVersion.objects.count() == 3


def test_a_conversation_saved_for_a_later_version_does_not_bar_the_way_back(editor: Actor) -> None:
    published(editor)
    later = contact_flow()
    later["nodes"][0]["id"] = "hello-2"
    saved(editor, later)
    save_script(slug=SLUG, name="greets anew", script=[{}], author="editor")
    accepted(editor.post(f"/flows/{SLUG}/publish"), 201)
    assert accepted(editor.post(f"/flows/{SLUG}/rollback", {"version": 1}), 201)["version"] == 3
    saved(editor, contact_flow())
    refused(editor.post(f"/flows/{SLUG}/publish"), 422, "scripts_failed")


@pytest.mark.parametrize("actor", ["router", "operator", "auditor", "responder", "nobody"])
def test_only_editors_change_flows(request: pytest.FixtureRequest, editor: Actor, actor: str) -> None:
    published(editor)
    somebody: Actor = request.getfixturevalue(actor)
    status, code = (401, "unauthorized") if actor == "nobody" else (403, "forbidden")
    acts = ["/flows", "/flows/validate", "/flows/simulate", *(f"/flows/{SLUG}/{act}" for act in ACTS)]
    for path in acts:
        refused(somebody.post(path), status, code)
    refused(somebody.call("PUT", f"/flows/{SLUG}/draft", data="{}", content_type="application/json"), status, code)
    assert FlowVersion.objects.count() == 1


ACTS = ("validate", "publish", "rollback", "explore")
