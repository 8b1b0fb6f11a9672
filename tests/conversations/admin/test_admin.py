"""The console's tables: history is read, never written."""

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from conversations.models import ApiKey, Closure, Event, Participant, Relationship
from tests.cast import INITIATOR, Actor, Opens, accepted
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

HISTORY = [Relationship, Closure, Event, Participant]


@pytest.fixture
def superuser() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    return client


@pytest.fixture
def history(router: Actor, opened: Opens) -> None:
    """An open conversation and a closed one."""
    opened()
    path = opened()
    router.post(f"{path}/intents", {"sender": INITIATOR, "intent": "advice", "humotica": "<b>Bank</b> calls"})
    accepted(router.post(f"{path}/close", {"closure_type": "completed"}))


def address(model: type, page: str, *args: object) -> str:
    return reverse(f"admin:conversations_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", HISTORY)
def test_every_list_and_every_row_can_be_read(superuser: Client, history: None, model: type) -> None:
    assert superuser.get(address(model, "changelist")).status_code == 200
    for row in model.objects.all():
        assert superuser.get(address(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", HISTORY)
def test_history_is_not_added_changed_or_deleted_even_by_a_superuser(
    superuser: Client, history: None, model: type
) -> None:
    row = model.objects.first()
    before = snapshot()
    assert superuser.get(address(model, "add")).status_code == 403
    assert superuser.post(address(model, "add"), {"handle": "x", "type": "x"}).status_code == 403
    assert superuser.post(address(model, "change", row.pk), {"handle": "x", "humotica": "x"}).status_code == 403
    assert superuser.get(address(model, "delete", row.pk)).status_code == 403
    assert superuser.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    superuser.post(address(model, "changelist"), chosen)
    assert snapshot() == before


def test_no_model_of_history_is_registered_in_another_way() -> None:
    for model in HISTORY:
        registered = admin.site._registry[model]
        assert not registered.inlines
        assert not registered.list_editable


def test_closures_are_the_ended_conversations_only(superuser: Client, history: None) -> None:
    page = superuser.get(address(Closure, "changelist"))
    assert [row.conversation_state for row in page.context["cl"].result_list] == ["closed"]


def test_what_was_said_is_shown_as_text(superuser: Client, history: None) -> None:
    page = superuser.get(address(Event, "change", Event.objects.get(type="intent").pk)).content.decode()
    assert "<b>Bank</b>" not in page
    assert "&lt;b&gt;Bank&lt;/b&gt;" in page


def test_without_rights_nothing_is_shown(history: None) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ann", password="x", is_staff=True))
    for model in HISTORY:
        assert client.get(address(model, "changelist")).status_code == 403


def test_people_and_credentials_have_no_second_door_here(superuser: Client) -> None:
    for model in (get_user_model(), Group, TOTPDevice, StaticDevice, ApiKey):
        assert model not in admin.site._registry
