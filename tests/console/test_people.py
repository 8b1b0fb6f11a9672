"""Users and roles: made, invited, given and taken rights, switched off."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from conversations.services.api_keys import create_api_key
from conversations.services.people import LastAdministratorError, disable
from tests.cast import Actor, accepted, refused
from tests.console.authenticator import PASSWORD, enrolled, log_in
from tests.console.conftest import sign_in

pytestmark = pytest.mark.django_db
PEOPLE = "/admin/console/settings/people"
HOME = "/admin/console/"


@pytest.fixture
def boss(db: None) -> Client:
    return sign_in("boss", "admin")


def named(name: str) -> Any:
    return get_user_model().objects.get(username=name)


def act(browser: Client, name: str, what: str, **told: Any) -> str:
    """What the page says after the act."""
    answer = browser.post(f"{PEOPLE}/{named(name).pk}/{what}", told, follow=True)
    return " ".join(str(message) for message in answer.context["messages"])


def link_for(browser: Client, name: str) -> str:
    return browser.post(f"{PEOPLE}/{named(name).pk}/link").context["link"]


def test_somebody_new_chooses_a_password_by_a_link_and_logs_in(boss: Client) -> None:
    boss.post(PEOPLE, {"username": "olga", "full_name": "Olga de Vries", "email": "", "roles": ["operator"]})
    olga = named("olga")
    assert (olga.get_full_name(), olga.is_staff, olga.has_usable_password()) == ("Olga de Vries", True, False)
    link, stranger = link_for(boss, "olga"), Client()
    page = stranger.get(link, follow=True)
    chosen = stranger.post(page.request["PATH_INFO"], {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert chosen["Location"] == "/admin/login/"
    assert log_in("olga").get(HOME).status_code == 200
    assert not Client().get(link, follow=True).context["validlink"]


def test_a_link_is_shown_once_and_not_kept_by_a_cache(boss: Client) -> None:
    sign_in("olga", "operator")
    answer = boss.post(f"{PEOPLE}/{named('olga').pk}/link")
    assert "no-store" in answer["Cache-Control"]
    assert answer.context["link"].encode() not in boss.get(f"{PEOPLE}/{named('olga').pk}").content


@pytest.mark.parametrize("weak", ["short", "password123", "93847561029384", "olga-de-vries"])
def test_a_weak_password_is_refused(boss: Client, weak: str) -> None:
    boss.post(PEOPLE, {"username": "olga-de-vries", "roles": []})
    stranger = Client()
    page = stranger.get(link_for(boss, "olga-de-vries"), follow=True)
    stranger.post(page.request["PATH_INFO"], {"new_password1": weak, "new_password2": weak})
    assert not named("olga-de-vries").has_usable_password()


@pytest.mark.parametrize(
    "told", [{"username": ""}, {"username": "a b"}, {"username": "boss"}, {"username": "x", "roles": ["king"]}]
)
def test_a_senseless_person_is_not_made(boss: Client, told: dict[str, Any]) -> None:
    assert boss.post(PEOPLE, told).status_code == 422
    assert get_user_model().objects.count() == 1


def test_roles_hold_from_the_next_request_on(boss: Client) -> None:
    vera = sign_in("vera", "viewer")
    canned = {"shortcut": "hi", "text": "Hello"}
    assert vera.post("/admin/console/settings/canned", canned).status_code == 403
    act(boss, "vera", "set_roles", roles=["operator"])
    assert vera.post("/admin/console/settings/canned", canned).status_code == 302
    act(boss, "vera", "set_roles", roles=[])
    assert vera.get(HOME).status_code == 403


def test_a_superuser_without_the_role_is_none_any_more(boss: Client) -> None:
    get_user_model().objects.create_superuser("root")
    act(boss, "root", "set_roles", roles=["viewer"])
    assert not named("root").is_superuser


def test_disabling_ends_the_login_and_the_keys_and_enabling_does_not_bring_the_login_back(boss: Client) -> None:
    olga = sign_in("olga", "operator")
    _, key = create_api_key(name="k", role="operator", username="olga")
    accepted(Actor(key).get("/relationships"))
    act(boss, "olga", "disable")
    assert "/admin/login/" in olga.get(HOME)["Location"]
    refused(Actor(key).get("/relationships"), 401, "unauthorized")
    act(boss, "olga", "enable")
    assert "/admin/login/" in olga.get(HOME)["Location"]
    accepted(Actor(key).get("/relationships"))
    assert boss.get(HOME).status_code == 200


def test_nobody_locks_themselves_or_the_house(boss: Client) -> None:
    assert "nobody locks themselves out" in act(boss, "boss", "disable")
    assert "nobody locks themselves out" in act(boss, "boss", "set_roles", roles=["viewer"])
    assert "nobody locks themselves out" in act(boss, "boss", "reset_two_factor")
    other = sign_in("other", "admin")
    act(boss, "other", "disable")
    assert not named("other").is_active
    assert "/admin/login/" in other.post(f"{PEOPLE}/{named('boss').pk}/disable")["Location"]
    assert named("boss").is_active


def test_the_last_administrator_stays() -> None:
    sign_in("boss", "admin")
    sign_in("vera", "viewer")
    with pytest.raises(LastAdministratorError):
        disable(person_id=named("boss").pk, by=named("vera"))
    assert named("boss").is_active


def test_a_reset_ends_the_logins_and_the_next_one_sets_it_up_anew(boss: Client, settings: Any) -> None:
    settings.LASTWORD_TWO_FACTOR = True
    olga, codes = enrolled("olga", "operator")
    settings.LASTWORD_TWO_FACTOR = False
    act(boss, "olga", "reset_two_factor")
    settings.LASTWORD_TWO_FACTOR = True
    assert not TOTPDevice.objects.exists()
    assert "/admin/login/" in olga.get(HOME)["Location"]
    again = log_in("olga")
    assert again.get(HOME)["Location"].startswith("/admin/console/two-factor/enrol")
    assert again.post("/admin/console/two-factor/code", {"code": codes[0]}).status_code == 403


def test_what_was_changed_by_whom_is_shown(boss: Client) -> None:
    sign_in("olga")
    act(boss, "olga", "set_roles", roles=["operator", "viewer"])
    page = boss.get(f"{PEOPLE}/{named('olga').pk}").content.decode()
    assert "roles: operator, viewer" in page
    assert "boss" in page


def test_an_auditor_reads_about_people_and_has_nothing_to_press(boss: Client) -> None:
    auditor = sign_in("arie", "auditor")
    page = auditor.get(f"{PEOPLE}/{named('boss').pk}")
    assert page.status_code == 200
    assert b"/disable" not in page.content + auditor.get(PEOPLE).content
    assert b"Save the roles" not in page.content


def test_an_unknown_person_is_not_found(boss: Client) -> None:
    assert boss.get(f"{PEOPLE}/999999").status_code == 404
    assert boss.post(f"{PEOPLE}/999999/link").status_code == 404
    assert "nobody by that number" in str(
        boss.post(f"{PEOPLE}/999999/disable", headers={"Accept": "application/json"}).json()
    )
