"""Who may look and who may act."""

import uuid
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from config.console import patterns
from conversations.models import AccessLog, Event
from conversations.services.handoff import request_handoff
from conversations.views import conversation_acts, inbox_acts
from tests.cast import Actor
from tests.console.conftest import Talks, sign_in

BOARD_ACTS = ["console:live_close", "console:live_label"]
ACTS = [
    *BOARD_ACTS,
    *(f"console:conversation_{name}" for name in conversation_acts.ACTS),
    *(f"console:inbox_{name}" for name in inbox_acts.ACTS),
]
SCREENS = [
    "console:home",
    "console:live",
    "console:inbox",
    "console:live_rows",
    "console:inbox_queue",
    "console:settings",
    "console:settings_participants",
    "console:guards",
    "console:guards_history",
    "console:guards_activity",
    "console:guards_rollout",
]


def address(name: str, subject: Any) -> str:
    return reverse(name, args=[] if name in BOARD_ACTS else [subject])


@pytest.mark.parametrize("name", SCREENS)
def test_a_viewer_sees_every_screen_and_a_stranger_is_sent_to_the_login(name: str, viewer: Client) -> None:
    assert viewer.get(reverse(name)).status_code == 200
    assert "/admin/login/" in Client().get(reverse(name))["Location"]


def test_somebody_without_a_role_sees_nothing(db: None) -> None:
    nobody = sign_in("noone")
    assert {nobody.get(reverse(name)).status_code for name in SCREENS} == {403}


@pytest.mark.parametrize("name", ACTS)
def test_a_viewer_cannot_act_and_nothing_changes(name: str, viewer: Client, talk: Talks, router: Actor) -> None:
    relationship = talk("hello")
    handoff = request_handoff(relationship_id=relationship.pk, reason="please", caller=router.record)
    before = Event.objects.count()
    subject = handoff.pk if name.startswith("console:inbox") else relationship.pk
    told = {"chosen": str(relationship.pk), "closure_type": "completed", "version": "1", "text": "hi", "to": "vera"}
    assert viewer.post(address(name, subject), told).status_code == 403
    assert Event.objects.count() == before


@pytest.mark.parametrize("name", ACTS)
def test_an_act_needs_the_token_of_its_own_page(name: str, db: None) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(get_user_model().objects.create_superuser("root"))
    assert careful.post(address(name, uuid.uuid4()), {}).status_code == 403


def test_every_address_of_the_console_says_who_may_use_it() -> None:
    for pattern in patterns():
        roles = pattern.callback.view_class.roles
        assert set(roles) <= {"GET", "POST", "DELETE"}, pattern.name
        assert all(roles.values()), pattern.name


def test_looking_is_noted_once_and_never_in_the_chain(viewer: Client, talk: Talks) -> None:
    relationship = talk("hello")
    before = Event.objects.count()
    page = reverse("console:conversation", args=[relationship.pk])
    for look in (page, page, reverse("console:conversation_news", args=[relationship.pk])):
        assert viewer.get(look).status_code == 200
    look = AccessLog.objects.get()
    assert (look.user.username, look.relationship_id, look.what) == ("vera", relationship.pk, "conversation")
    assert Event.objects.count() == before


def test_an_unknown_conversation_is_not_found(viewer: Client) -> None:
    for name in ("console:conversation", "console:conversation_news", "console:chat", "console:chat_news"):
        assert viewer.get(reverse(name, args=[uuid.uuid4()])).status_code == 404
