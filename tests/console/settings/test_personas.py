"""Personas made and changed at the console; a secret goes in and never comes out."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from conversations.models import Persona
from conversations.services.personas import create_persona
from conversations.services.sealing import unsealed

LIST = reverse("console:settings_personas")
SECRET = "sixteen characters, or more"


def page_of(handle: str) -> str:
    return reverse("console:settings_persona", args=[handle])


def test_a_persona_is_made_with_a_fixed_text(boss: Client) -> None:
    told = {"handle": "ada", "name": "Ada L.", "kind": "template", "text": "Hello {sender}", "url": "ignored"}
    assert boss.post(LIST, told).status_code == 302
    persona = Persona.objects.get()
    assert (persona.handle, persona.name) == ("ada", "Ada L.")
    assert persona.responder == {"kind": "template", "text": "Hello {sender}"}
    assert "Ada L." in boss.get(LIST).content.decode()


def test_an_agents_secret_is_stored_sealed_kept_when_left_empty_and_never_shown(
    boss: Client, settings: Settings
) -> None:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    agent = {"handle": "ada", "kind": "http", "url": "http://127.0.0.1:1/agent", "secret": SECRET}
    assert boss.post(LIST, agent).status_code == 302
    page = boss.get(page_of("ada")).content.decode()
    assert SECRET not in page
    assert "http://127.0.0.1:1/agent" in page
    changed = {**agent, "secret": "", "name": "Other", "timeout_seconds": "7.5"}
    assert boss.post(page_of("ada"), changed).status_code == 302
    persona = Persona.objects.get()
    assert unsealed(persona.secret_sealed) == SECRET
    assert (persona.name, persona.responder["timeout_seconds"]) == ("Other", 7.5)
    assert SECRET not in str(persona.responder)


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({"kind": "http", "url": "http://127.0.0.1/", "secret": SECRET}, "url"),
        ({"kind": "http", "url": "https://example.org/", "secret": "short"}, "secret"),
        ({"kind": "llm"}, "kind"),
        ({"kind": "nothing"}, "kind"),
        ({"kind": "template", "handle": ""}, "handle"),
        ({"kind": "http", "url": "https://example.org/", "secret": SECRET, "timeout_seconds": "90"}, "timeout_seconds"),
    ],
)
def test_what_makes_no_sense_is_said_at_its_field_and_nothing_is_made(
    boss: Client, told: dict[str, str], field: str
) -> None:
    answer = boss.post(LIST, {"handle": "ada", **told})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not Persona.objects.exists()


def test_a_handle_is_taken_once_and_cannot_be_changed(boss: Client) -> None:
    create_persona(handle="ada")
    assert boss.post(LIST, {"handle": "ada", "kind": "template"}).status_code == 422
    assert boss.post(page_of("ada"), {"handle": "bob", "kind": "template", "name": "A"}).status_code == 302
    assert list(Persona.objects.values_list("handle", "name")) == [("ada", "A")]


def test_others_read_and_change_nothing(anna: Client) -> None:
    create_persona(handle="ada", name="Ada")
    assert anna.get(LIST).status_code == anna.get(page_of("ada")).status_code == 200
    assert "Make the persona" not in anna.get(LIST).content.decode()
    for address in (LIST, page_of("ada")):
        assert anna.post(address, {"handle": "eve", "kind": "template", "name": "E"}).status_code == 403
    assert list(Persona.objects.values_list("handle", "name")) == [("ada", "Ada")]


def test_an_unknown_persona_is_not_found(boss: Client) -> None:
    assert boss.get(page_of("nobody")).status_code == 404
    assert boss.get(f"{LIST}/no%00body").status_code == 404
