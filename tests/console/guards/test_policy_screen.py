"""The policy as a form: tried before it is saved, refused at the field, kept with its author."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conversations.access import ConsoleRole
from conversations.models import Event
from conversations.services.personas import create_persona
from conversations.services.threads import ThreadEvent, handle_thread_event
from guards.models import PolicyVersion
from guards.policy_document import DEFAULT_POLICY
from guards.policy_form import settings_of
from guards.policy_words import PARTS, SETTINGS
from guards.selectors.policy import policy_in_force
from guards.services.policy import change_policy
from tests.cast import Clock
from tests.console.conftest import sign_in

PAGE, HISTORY = reverse("console:guards"), reverse("console:guards_history")


@pytest.fixture
def ed(db: None) -> Client:
    return sign_in("ed", ConsoleRole.EDITOR)


def form(**changed: Any) -> dict[str, Any]:
    """The page's own fields as it shows them, with some changed (`threads__max_turns=3`)."""
    shown = {
        field.name: field.shown
        for part in settings_of(policy_in_force().document, {}).values()
        for field in part
        if field.shown is not False
    }
    typed = {name: "on" if value is True else str(value) for name, value in shown.items()}
    return {**typed, "version": policy_in_force().version, **{k.replace("__", "."): v for k, v in changed.items()}}


def said(event_id: str, key: str = "t") -> None:
    handle_thread_event(ThreadEvent(key=key, event_id=event_id, sender="visitor", text="hi"), actor="tests")


def test_every_setting_of_the_document_is_on_the_form_with_its_words() -> None:
    fields = settings_of(DEFAULT_POLICY, {})
    assert set(fields) == set(PARTS)
    assert {field.name for part in fields.values() for field in part} == set(SETTINGS)


def test_everybody_reads_the_numbers_with_their_examples_and_only_editors_change_them(viewer: Client) -> None:
    page = viewer.get(PAGE).content.decode()
    assert "A thread with 8 messages is over" in page
    assert "Put into force" not in page
    assert viewer.post(PAGE, {**form(threads__max_turns="3"), "save": "1"}).status_code == 403
    assert not PolicyVersion.objects.exists()


def test_a_saved_number_is_in_force_at_once_and_stands_in_the_history_with_its_author(ed: Client) -> None:
    answer = ed.post(
        PAGE, {**form(threads__max_turns="3", dialogue__timeout_minutes="2,5"), "save": "1", "note": "calm"}
    )
    assert answer["Location"] == HISTORY
    version = PolicyVersion.objects.get()
    assert (version.author, version.note) == ("ed", "calm")
    assert policy_in_force().document.threads.max_turns == 3
    assert policy_in_force().document.dialogue.timeout_minutes == 2.5
    page = ed.get(HISTORY).content.decode()
    assert "<del>8</del> → <ins>3</ins>" in page
    assert "calm" in page


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("threads.max_turns", "0"),
        ("threads.max_turns", "many"),
        ("threads.max_turns", "2.5"),
        ("threads.grace_seconds", "-1"),
        ("threads.grace_seconds", "nan"),
        ("workflow.loop_detection_threshold", "1.2"),
        ("dialogue.page_limit", "6"),
        ("threads.min_delay_seconds", "9"),
        ("handoff.warn_minutes", "5"),
        ("relationship.max_depth", ""),
    ],
)
@pytest.mark.parametrize("button", ["save", "try"])
def test_a_senseless_number_is_refused_at_its_field_and_nothing_is_saved(
    ed: Client, field: str, typed: str, button: str
) -> None:
    answer = ed.post(PAGE, {**form(), field: typed, button: "1"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'id="{field}-error"' in page
    assert f'name="{field}" value="{typed}"' in page, "what was typed stays to be corrected"
    assert not PolicyVersion.objects.exists()


def test_a_policy_that_moved_on_meanwhile_is_not_overwritten(ed: Client) -> None:
    stale = form(threads__max_turns="3")
    change_policy(partial={"threads": {"grace_seconds": 9}}, author="somebody else")
    answer = ed.post(PAGE, {**stale, "save": "1"})
    assert answer.status_code == 409
    assert policy_in_force().document.threads.max_turns == 8
    assert policy_in_force().version == 1


def test_saving_what_is_in_force_makes_no_version(ed: Client) -> None:
    assert ed.post(PAGE, {**form(), "save": "1"})["Location"] == PAGE
    assert not PolicyVersion.objects.exists()


def test_a_backtest_links_to_the_conversations_it_would_have_changed_and_writes_nothing(
    ed: Client, clock: Clock
) -> None:
    for handle in ("ada", "ben"):
        create_persona(handle=handle)
    said("e1")
    clock.advance(seconds=6)
    said("e2")
    events = Event.objects.count()
    answer = ed.post(PAGE, {**form(threads__grace_seconds="7"), "try": "1", "days": "7"})
    report = answer.context["report"]
    assert (report["examined"], report["differing"]) == (2, 1)
    (difference,) = report["differences"]
    link = reverse("console:conversation", args=[difference["relationship"]])
    page = answer.content.decode()
    assert f'href="{link}#line-{difference["seq"]}-system"' in page
    assert difference["after"]["code"] == "grace_period"
    assert 'name="threads.grace_seconds" value="7"' in page, "the edited number is still there to be saved"
    assert Event.objects.count() == events
    assert not PolicyVersion.objects.exists()


def test_an_earlier_versions_numbers_can_be_put_back(ed: Client) -> None:
    change_policy(partial={"threads": {"max_turns": 3}}, author="ed")
    change_policy(partial={"threads": {"max_turns": 4}}, author="ed")
    page = ed.get(PAGE, {"from": "1"}).content.decode()
    assert 'name="threads.max_turns" value="3"' in page
    assert "in force: 4" in page
    assert 'name="threads.max_turns" value="8"' in ed.get(PAGE, {"from": "0"}).content.decode()
    assert 'name="threads.max_turns" value="4"' in ed.get(PAGE, {"from": "99"}).content.decode()
