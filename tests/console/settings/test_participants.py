"""Settings' own tabs, and the list of everybody who ever spoke."""

from django.test import Client
from django.urls import reverse

from conversations.services.relationships import participant
from tests.cast import INITIATOR
from tests.console.conftest import Talks

PAGE = reverse("console:settings_participants")


def test_settings_leads_to_every_screen_and_marks_the_one_looked_at(viewer: Client) -> None:
    home = viewer.get(reverse("console:settings")).content.decode()
    assert f'href="{PAGE}"' in home
    assert "aria-current" not in home
    assert f'href="{PAGE}" aria-current="page"' in viewer.get(PAGE).content.decode()


def test_each_participant_comes_with_its_conversations(viewer: Client, talk: Talks) -> None:
    talk("hello")
    rows = {row.handle: row for row in viewer.get(PAGE).context["page"]}
    assert (rows[INITIATOR].conversations, rows[INITIATOR].active) == (1, 1)


def test_a_search_finds_part_of_a_handle_and_survives_what_no_database_stores(viewer: Client) -> None:
    participant("did:web:unique.example")
    participant("somebody else")
    found = viewer.get(PAGE, {"q": "UNIQUE\0"}).context["page"]
    assert [row.handle for row in found] == ["did:web:unique.example"]
    assert "Nobody of that name" in viewer.get(PAGE, {"q": "nobody at all"}).content.decode()


def test_a_handle_is_shown_as_text(viewer: Client) -> None:
    participant("<img src=x onerror=alert(1)>")
    assert "<img src=x" not in viewer.get(PAGE).content.decode()
