"""Keys: shown once, kept as digests, revoked at once, limited in rate."""

import hashlib
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management import CommandError, call_command
from pytest_django import Settings

from conversations.models import ApiKey
from conversations.services.api_keys import create_api_key, revoke_api_key
from tests.cast import Actor, Opens, accepted, refused

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic abc", "Token x", "Bearer é"])
def test_without_a_known_key_nobody_is_let_in(opened: Opens, nobody: Actor, header: str) -> None:
    answer = nobody.call("GET", opened(), headers={"Authorization": header} if header else {})
    refused(answer, 401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_only_the_digest_is_stored() -> None:
    record, key = create_api_key(name="n", role="router")
    stored = ApiKey.objects.values().get(pk=record.pk)
    assert stored["digest"] == hashlib.sha256(key.encode()).hexdigest()
    assert key not in str(stored)
    assert len(key) >= 40


def test_a_revoked_key_ends_at_once(router: Actor, opened: Opens) -> None:
    path = opened()
    accepted(router.get(path))
    revoke_api_key(router.record)
    refused(router.get(path), 401, "unauthorized")


def test_a_disabled_user_takes_the_key_along(operator: Actor) -> None:
    accepted(operator.get("/relationships"))
    get_user_model().objects.filter(pk=operator.record.user_id).update(is_active=False)
    refused(operator.get("/relationships"), 401, "unauthorized")


def test_an_operator_key_belongs_to_a_user_who_cannot_log_in(operator: Actor) -> None:
    user = operator.record.user
    assert (user.username, user.has_usable_password()) == (operator.record.name, False)


def created(*arguments: str) -> str:
    printed = StringIO()
    call_command("create_api_key", *arguments, stdout=printed)
    return printed.getvalue()


def test_the_command_prints_the_key_alone(opened: Opens) -> None:
    printed = created("ops", "--role", "auditor")
    assert printed.count("\n") == 1
    accepted(Actor(printed.strip()).get(opened()))


def test_the_command_binds_a_participant_and_a_user() -> None:
    created("bank key", "--role", "participant", "--participant", "bank")
    created("ann's key", "--role", "operator", "--user", "ann")
    assert ApiKey.objects.get(role="participant").participant.handle == "bank"
    assert ApiKey.objects.get(role="operator").user.username == "ann"


@pytest.mark.parametrize(
    "arguments",
    [
        ("n", "--role", "participant"),
        ("n", "--role", "router", "--participant", "bank"),
        ("n", "--role", "king"),
        ("n",),
    ],
)
def test_the_command_refuses_what_makes_no_sense(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        created(*arguments)
    assert not ApiKey.objects.exists()


def test_beyond_its_rate_a_key_is_told_when_to_come_back(router: Actor, auditor: Actor, settings: Settings) -> None:
    settings.LASTWORD_RATE_LIMIT = 3
    settings.LASTWORD_RATE_WINDOW_SECONDS = 3600
    for _ in range(3):
        accepted(router.get("/relationships"))
    answer = router.get("/relationships")
    refused(answer, 429, "rate_limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 3601
    accepted(auditor.get("/relationships"))


def test_a_cache_emptied_while_a_request_is_counted_costs_the_count_and_not_the_request(
    router: Actor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LASTWORD_RATE_LIMIT = 1

    def rival_came_and_the_cache_was_wiped(*_of: object, **_with: object) -> bool:
        return False

    monkeypatch.setattr(cache, "add", rival_came_and_the_cache_was_wiped)
    accepted(router.get("/relationships"))


def test_the_first_request_of_a_rival_is_counted_with_ones_own(
    router: Actor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LASTWORD_RATE_LIMIT = 1
    settings.LASTWORD_RATE_WINDOW_SECONDS = 3600
    add = cache.add

    def rival_came_first(*of: Any, **given: Any) -> bool:
        add(*of, **given)
        return False

    monkeypatch.setattr(cache, "add", rival_came_first)
    refused(router.get("/relationships"), 429, "rate_limited")
