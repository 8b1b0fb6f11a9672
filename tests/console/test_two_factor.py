"""Who can act for others proves more than a password, before any page opens."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.middleware.second_step import OPEN
from conversations.selectors.passes import Pass, holders_of
from conversations.services.api_keys import create_api_key
from tests.cast import Actor, accepted
from tests.console.authenticator import CODE, ENROL, PASSWORD, code_of, enrolled, log_in, person, wait_over

pytestmark = pytest.mark.django_db
HOME = "/admin/console/"


@pytest.fixture(autouse=True)
def required(settings: Any) -> None:
    settings.LASTWORD_TWO_FACTOR = True


@pytest.mark.parametrize("role", ["operator", "editor", "admin"])
def test_who_can_act_is_led_to_setting_it_up(role: str) -> None:
    browser = person("olga", role)
    for page in (HOME, "/admin/console/inbox", "/admin/conversations/event/"):
        assert browser.get(page)["Location"].startswith(f"{ENROL}?next=")


def test_a_superuser_is_no_exception() -> None:
    get_user_model().objects.create_superuser("root", password=PASSWORD)
    assert log_in("root").get(HOME)["Location"].startswith(ENROL)


@pytest.mark.parametrize("role", ["viewer", "auditor"])
def test_who_only_looks_may_do_without(role: str) -> None:
    assert person("vera", role).get(HOME).status_code == 200


def test_before_the_code_nothing_can_be_done_and_nothing_is_answered_to_a_script() -> None:
    browser = person("olga", "operator")
    assert browser.post("/admin/console/settings/canned", {"shortcut": "hi", "text": "Hi"}).status_code == 403
    assert browser.get(HOME, headers={"Accept": "application/json"}).status_code == 403


def walked(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        name = f"{prefix}{getattr(pattern, 'namespace', None) or ''}"
        if isinstance(pattern, URLResolver):
            yield from walked(pattern.url_patterns, f"{name}:" if pattern.namespace else prefix)
        elif pattern.name:
            yield f"{prefix}{pattern.name}"


def test_what_is_open_before_the_code_is_a_short_list_of_real_addresses() -> None:
    """Everything else is closed by the middleware, whatever it is."""
    assert set(walked(get_resolver().url_patterns)) >= OPEN
    assert {"admin:login", "admin:logout", "welcome", "set_language", "words", "healthz", "readyz"} == OPEN


def test_setting_it_up_opens_the_door_and_gives_codes_for_the_worst_day() -> None:
    browser = person("olga", "operator")
    browser.post(ENROL)
    page = browser.get(ENROL)
    device = TOTPDevice.objects.get()
    assert not device.confirmed
    assert page.context["secret"].replace(" ", "") in device.config_url
    assert page["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    before = browser.session.session_key
    done = browser.post(ENROL, {"code": code_of("olga"), "next": "/admin/console/inbox"})
    assert len(set(done.context["codes"])) == 10
    assert done.context["next"] == "/admin/console/inbox"
    assert browser.session.session_key != before
    assert browser.get(HOME).status_code == 200


def test_a_wrong_code_sets_nothing_up() -> None:
    browser = person("olga", "operator")
    browser.post(ENROL)
    assert browser.post(ENROL, {"code": "000000"}).status_code == 403
    assert not TOTPDevice.objects.get().confirmed
    assert browser.get(HOME)["Location"].startswith(ENROL)


def test_the_next_login_asks_for_a_code_which_works_once() -> None:
    enrolled("olga", "operator")
    second, third = log_in("olga"), log_in("olga")
    assert second.get(HOME)["Location"].startswith(f"{CODE}?next=")
    code = code_of("olga", ahead=1)
    assert second.post(CODE, {"code": code, "next": HOME})["Location"] == HOME
    assert second.get(HOME).status_code == 200
    assert third.post(CODE, {"code": code}).status_code == 403
    assert third.get(HOME)["Location"].startswith(CODE)


def test_the_code_that_set_it_up_is_used_up_too() -> None:
    browser = person("olga", "operator")
    browser.post(ENROL)
    code = code_of("olga")
    browser.post(ENROL, {"code": code})
    assert log_in("olga").post(CODE, {"code": code}).status_code == 403


def test_guessing_is_slowed_down_even_for_the_right_code() -> None:
    enrolled("olga", "operator")
    browser = log_in("olga")
    TOTPDevice.objects.update(throttling_failure_count=12, throttling_failure_timestamp=timezone.now())
    assert browser.post(CODE, {"code": code_of("olga", ahead=1)}).status_code == 403
    wait_over("olga")
    assert browser.post(CODE, {"code": code_of("olga", ahead=1)}).status_code == 302


@pytest.mark.parametrize("wrong", ["", "12345", "abcdefgh", "0" * 5000, "１２３４５６", "\x00"])
def test_nonsense_is_no_code(wrong: str) -> None:
    enrolled("olga", "operator")
    assert log_in("olga").post(CODE, {"code": wrong}).status_code == 403


def test_a_recovery_code_works_once_however_it_is_written() -> None:
    _, codes = enrolled("olga", "operator")
    written = f" {codes[0][:4].upper()}-{codes[0][4:]} "
    assert log_in("olga").post(CODE, {"code": written}).status_code == 302
    assert log_in("olga").post(CODE, {"code": codes[0]}).status_code == 403


def test_somebody_elses_recovery_code_opens_nothing() -> None:
    _, codes = enrolled("olga", "operator")
    enrolled("otto", "operator")
    assert log_in("otto").post(CODE, {"code": codes[0]}).status_code == 403


def test_a_stolen_password_cannot_put_another_app_in_place() -> None:
    enrolled("olga", "operator")
    thief = log_in("olga")
    for answer in (thief.get(ENROL), thief.post(ENROL), thief.post(ENROL, {"code": code_of("olga", ahead=1)})):
        assert answer["Location"].startswith(CODE)
    assert TOTPDevice.objects.count() == 1


def test_who_has_an_app_is_asked_though_the_role_does_not() -> None:
    enrolled("vera", "viewer")
    assert log_in("vera").get(HOME)["Location"].startswith(CODE)


def test_after_the_code_nobody_is_sent_elsewhere() -> None:
    enrolled("olga", "operator")
    browser = log_in("olga")
    sent = browser.post(CODE, {"code": code_of("olga", ahead=1), "next": "https://evil.example/"})
    assert sent["Location"] == HOME


def test_a_role_given_later_asks_for_it_at_once() -> None:
    browser = person("vera", "viewer")
    assert browser.get(HOME).status_code == 200
    get_user_model().objects.get(username="vera").groups.add(Group.objects.get(name="operator"))
    assert browser.get(HOME)["Location"].startswith(ENROL)


def test_new_recovery_codes_end_the_old_ones() -> None:
    browser, old = enrolled("olga", "operator")
    new = browser.post("/admin/console/settings/two-factor/codes").context["codes"]
    assert log_in("olga").post(CODE, {"code": old[0]}).status_code == 403
    wait_over("olga")
    assert not set(old) & set(new)


def test_who_must_have_it_cannot_turn_it_off_and_who_need_not_can() -> None:
    operator, _ = enrolled("olga", "operator")
    viewer, _ = enrolled("vera", "viewer")
    for browser in (operator, viewer):
        answer = browser.post("/admin/console/settings/two-factor/off")
        assert answer["Location"] == "/admin/console/settings/two-factor"
    assert "/admin/login/" in viewer.get(HOME)["Location"]
    assert list(TOTPDevice.objects.values_list("user__username", flat=True)) == ["olga"]
    assert log_in("vera").get(HOME).status_code == 200


def test_keys_need_no_second_step() -> None:
    person("olga", "operator")
    _, key = create_api_key(name="k", role="operator", username="olga")
    accepted(Actor(key).get("/relationships"))


def shown_at_the_socket(browser: Client, *, device: str) -> Pass:
    session = browser.session
    return Pass(
        user_id=int(session["_auth_user_id"]),
        session_key=session.session_key,
        login_hash=session["_auth_user_hash"],
        device=device,
    )


def test_the_door_of_the_sockets_asks_for_the_same() -> None:
    browser, _ = enrolled("olga", "operator")
    proved = shown_at_the_socket(browser, device=browser.session["otp_device_id"])
    unproved = shown_at_the_socket(log_in("olga"), device="")
    stolen = shown_at_the_socket(log_in("olga"), device="otp_totp.totpdevice/0")
    without = shown_at_the_socket(person("otto", "editor"), device="")
    looking = shown_at_the_socket(person("vera", "viewer"), device="")
    assert set(holders_of([proved, unproved, stolen, without, looking])) == {proved, looking}
    TOTPDevice.objects.all().delete()
    assert set(holders_of([proved, looking])) == {looking}
