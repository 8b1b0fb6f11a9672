"""Saved conversations: kept with their outcome, replaced by name, compared with a changed flow."""

import pytest
from pytest_django import Settings

from flows.errors import FlowInvalidError
from flows.models import Flow, FlowScript
from flows.services.drafts import create_flow, save_draft
from flows.services.publishing import publish
from flows.services.scripts import delete_script, failing_scripts, save_script
from tests.flows.api.support import SLUG, contact_flow
from tests.flows.extraction.llm_server import llm_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def stored() -> Flow:
    return create_flow(slug=SLUG, name="Contact", definition=contact_flow(), author="editor")


def keep(*texts: str) -> FlowScript:
    return save_script(slug=SLUG, name="talk", script=[{"text": text} for text in texts], author="editor")


def test_a_conversation_is_kept_with_the_nodes_chosen_and_its_end(stored: Flow) -> None:
    assert keep("", "a@example.com").expected == {
        "status": "COMPLETE",
        "decisions": [["hello-1", "EXECUTE"], ["mail-1", "EXECUTE"]],
    }


def test_saving_under_the_same_name_replaces(stored: Flow) -> None:
    keep("", "a@example.com")
    assert keep("").expected["status"] == "OK"
    assert FlowScript.objects.count() == 1
    delete_script(slug=SLUG, name="talk")
    assert not FlowScript.objects.exists()


def test_only_conversations_that_go_differently_fail_with_both_outcomes(stored: Flow) -> None:
    kept = keep("", "no")
    assert failing_scripts(stored, contact_flow()) == []
    changed = contact_flow()
    changed["nodes"][1]["id"] = "mail-2"
    failed = failing_scripts(stored, changed)
    assert [(each["name"], each["expected"]) for each in failed] == [("talk", kept.expected)]
    assert ["mail-2", "RETRY"] in failed[0]["found"]["decisions"]


def test_a_definition_that_does_not_load_fails_every_conversation(stored: Flow) -> None:
    keep("")
    assert failing_scripts(stored, {})[0]["found"]["status"] == "flow_invalid"


def test_a_talk_with_a_draft_that_does_not_load_is_not_kept(stored: Flow) -> None:
    save_draft(slug=SLUG, definition={}, author="editor")
    with pytest.raises(FlowInvalidError):
        keep("")
    assert not FlowScript.objects.exists()


def test_a_model_has_no_say_in_how_a_saved_conversation_goes(stored: Flow, settings: Settings) -> None:
    with llm_server() as model:
        settings.LLM_BASE_URL, settings.LLM_MODEL = model.base_url, "m"
        kept = keep("", "a@example.com")
        assert kept.expected["status"] == "COMPLETE"
        assert publish(slug=SLUG, author="editor").version == 1
        assert model.requests == []
