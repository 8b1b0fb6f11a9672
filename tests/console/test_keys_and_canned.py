"""API keys, shown once and revoked at once; canned replies, made here and used in the chat."""

from datetime import timedelta

import pytest
from django.test import Client

from conversations.models import ApiKey, CannedReply
from tests.cast import Actor, Clock, accepted, refused
from tests.console.conftest import sign_in

pytestmark = pytest.mark.django_db
KEYS = "/admin/console/settings/keys"
CANNED = "/admin/console/settings/canned"


@pytest.fixture
def boss(db: None) -> Client:
    return sign_in("boss", "admin")


def test_a_new_key_is_shown_once_and_works(boss: Client) -> None:
    made = boss.post(KEYS, {"name": "integration", "role": "router"})
    assert (made.status_code, "no-store" in made["Cache-Control"]) == (201, True)
    key, record = made.context["key"], ApiKey.objects.get()
    accepted(Actor(key).get("/relationships"))
    page = boss.get(KEYS).content.decode()
    assert key not in page
    assert record.digest not in page
    assert record.prefix in page


def test_the_database_has_the_digest_alone(boss: Client) -> None:
    key = boss.post(KEYS, {"name": "integration", "role": "router"}).context["key"]
    stored = " ".join(str(value) for value in ApiKey.objects.values_list().get())
    assert key not in stored
    assert key.removeprefix("lw_")[10:] not in stored


def test_a_participant_key_is_bound_and_an_operator_key_belongs_to_somebody(boss: Client) -> None:
    boss.post(KEYS, {"name": "a", "role": "participant", "participant": "bank"})
    boss.post(KEYS, {"name": "b", "role": "operator", "username": "boss"})
    assert ApiKey.objects.get(name="a").participant.handle == "bank"
    assert ApiKey.objects.get(name="b").user.username == "boss"


@pytest.mark.parametrize(
    "terms",
    [
        {"name": "x", "role": "participant"},
        {"name": "x", "role": "router", "participant": "bank"},
        {"name": "x", "role": "king"},
        {"name": "", "role": "router"},
    ],
)
def test_a_senseless_key_is_not_made(boss: Client, terms: dict[str, str]) -> None:
    assert boss.post(KEYS, terms).status_code == 422
    assert not ApiKey.objects.exists()


def test_a_revoked_key_is_unknown_at_once_and_the_others_are_not(boss: Client, router: Actor, auditor: Actor) -> None:
    boss.post(f"{KEYS}/{router.record.pk}/revoke")
    refused(router.get("/relationships"), 401, "unauthorized")
    accepted(auditor.get("/relationships"))


def test_when_a_key_was_last_used_is_known_to_the_minute(router: Actor, clock: Clock) -> None:
    accepted(router.get("/relationships"))
    first = clock.now
    clock.advance(seconds=59)
    accepted(router.get("/relationships"))
    assert ApiKey.objects.get().last_used_at == first
    clock.advance(seconds=1)
    accepted(router.get("/relationships"))
    assert ApiKey.objects.get().last_used_at == first + timedelta(minutes=1)


def test_a_canned_reply_is_made_changed_and_removed(anna: Client) -> None:
    anna.post(CANNED, {"shortcut": "hello", "text": "Good morning"})
    reply = CannedReply.objects.get()
    anna.post(f"{CANNED}/{reply.pk}/save", {"shortcut": "/hi", "text": "Hi there"})
    reply.refresh_from_db()
    assert (reply.shortcut, reply.text) == ("hi", "Hi there")
    anna.post(f"{CANNED}/{reply.pk}/remove")
    assert not CannedReply.objects.exists()


@pytest.mark.parametrize(
    "told", [{"shortcut": "a b", "text": "x"}, {"shortcut": "a", "text": ""}, {"shortcut": "hello", "text": "x"}]
)
def test_a_senseless_reply_is_not_made(anna: Client, told: dict[str, str]) -> None:
    CannedReply.objects.create(shortcut="hello", text="Good morning")
    assert anna.post(CANNED, told).status_code == 422
    assert list(CannedReply.objects.values_list("shortcut", "text")) == [("hello", "Good morning")]


def test_a_change_to_a_taken_shortcut_changes_nothing(anna: Client) -> None:
    CannedReply.objects.create(shortcut="hello", text="Good morning")
    other = CannedReply.objects.create(shortcut="bye", text="Goodbye")
    answer = anna.post(
        f"{CANNED}/{other.pk}/save", {"shortcut": "hello", "text": "x"}, headers={"Accept": "application/json"}
    )
    assert answer.status_code == 409
    other.refresh_from_db()
    assert (other.shortcut, other.text) == ("bye", "Goodbye")


def test_a_viewer_reads_the_replies_and_has_nothing_to_press(viewer: Client) -> None:
    CannedReply.objects.create(shortcut="hello", text="<b>Good</b> morning")
    page = viewer.get(CANNED).content.decode()
    assert "&lt;b&gt;Good&lt;/b&gt;" in page
    assert "/save" not in page
