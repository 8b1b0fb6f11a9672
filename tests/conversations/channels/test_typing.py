"""The operator's typing, as the visitor in Chatwoot sees it: for the moment, or not at all."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from conversations.models import Channel, OutboxMessage, Relationship
from conversations.services import channel_typing
from conversations.services.channel_typing import TypingSigns, tell_typing
from tests.cast import Actor
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.conftest import Hears
from tests.conversations.channels.remote_server import Remote, Scripted

HOLDER = "the operator"


def signs(chatwoot: Remote) -> list[str]:
    return [call.json["typing_status"] for call in chatwoot.calls if call.path.endswith("/toggle_typing_status")]


@pytest.fixture
def held(hears: Hears, chatwoot: Remote, operator: Actor) -> UUID:
    """A visitor's conversation that the operator took over."""
    hears(world.message(1, "Hello"))
    relationship = Relationship.objects.get()
    operator.post(f"/relationships/{relationship.pk}/takeover", {"reason": "mine"})
    chatwoot.calls.clear()
    return relationship.pk


def test_the_widget_is_told_on_and_off(held: UUID, chatwoot: Remote) -> None:
    waiting = OutboxMessage.objects.count()
    assert tell_typing(relationship_id=held, operator=HOLDER, typing=True)
    assert tell_typing(relationship_id=held, operator=HOLDER, typing=False)
    assert signs(chatwoot) == ["on", "off"]
    assert chatwoot.calls[0].path == "/api/v1/accounts/1/conversations/42/toggle_typing_status"
    assert OutboxMessage.objects.count() == waiting, "a sign is never kept for later"


def test_only_who_holds_it_is_seen_writing_but_everybody_may_stop(held: UUID, chatwoot: Remote) -> None:
    assert not tell_typing(relationship_id=held, operator="somebody else", typing=True)
    assert tell_typing(relationship_id=held, operator="released it meanwhile", typing=False)
    assert signs(chatwoot) == ["off"]


@pytest.mark.parametrize("state", ["off", "failing", "resting"])
def test_a_channel_that_is_off_failing_or_resting_is_left_alone(
    held: UUID, chatwoot: Remote, channel: Channel, state: str
) -> None:
    resting = {"open_until": timezone.now() + timedelta(minutes=9)}
    changes: dict[str, Any] = {"off": {"enabled": False}, "failing": {"failures": 1}, "resting": resting}[state]
    Channel.objects.filter(pk=channel.pk).update(**changes)
    assert not tell_typing(relationship_id=held, operator=HOLDER, typing=True)
    assert not chatwoot.calls


@pytest.mark.parametrize("answer", [Scripted(500), Scripted(404), Scripted(delay=5)])
def test_a_sign_that_gets_lost_is_not_repeated_and_counts_for_nothing(
    held: UUID, chatwoot: Remote, channel: Channel, answer: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_typing, "TIMEOUT_SECONDS", 0.3)
    chatwoot.script = [answer]
    assert not tell_typing(relationship_id=held, operator=HOLDER, typing=True)
    channel.refresh_from_db()
    assert (len(chatwoot.calls), channel.failures, channel.open_until) == (1, 0, None)


def test_asked_to_wait_everybody_waits(held: UUID, chatwoot: Remote, channel: Channel) -> None:
    chatwoot.script = [Scripted(429, {"Retry-After": "30"})]
    assert not tell_typing(relationship_id=held, operator=HOLDER, typing=True)
    channel.refresh_from_db()
    assert channel.resting


def test_a_conversation_without_a_channel_has_nobody_to_tell(db: None) -> None:
    assert not tell_typing(relationship_id=uuid4(), operator=HOLDER, typing=True)


class Desk:
    """Signs as noticed and as told, on a clock and a thread of the test's own."""

    def __init__(self) -> None:
        self.now, self.told, self.queued = 0.0, list[bool](), list[tuple[Callable[..., None], Any]]()
        self.signs = TypingSigns(self.tell, lambda *job: self.queued.append(job), lambda: self.now)
        self.place = str(uuid4())

    def tell(self, *, relationship_id: UUID, operator: str, typing: bool) -> bool:
        self.told.append(typing)
        return True

    def notice(self, writing: bool, *, at: float) -> None:
        self.now = at
        self.signs.notice(self.place, HOLDER, writing=writing)

    def work(self) -> None:
        while self.queued:
            job, place = self.queued.pop(0)
            job(place)


def test_a_sign_is_given_once_and_again_before_the_widget_forgets_it() -> None:
    desk = Desk()
    for second in range(0, 45, 3):
        desk.notice(True, at=second)
        desk.work()
    assert desk.told == [True, True, True], "at 0, 21 and 42 seconds"
    for second in (50, 51):
        desk.notice(False, at=second)
        desk.work()
    assert desk.told[3:] == [False]


def test_who_only_looks_is_never_told_of() -> None:
    desk = Desk()
    desk.notice(False, at=0)
    assert not desk.queued


def test_while_one_waits_only_the_newest_is_kept() -> None:
    desk = Desk()
    desk.notice(True, at=0)
    desk.notice(False, at=1)
    assert len(desk.queued) == 1
    desk.work()
    assert desk.told == [False]


def test_a_sign_that_waited_too_long_is_let_go() -> None:
    desk = Desk()
    desk.notice(True, at=0)
    desk.now = 4
    desk.work()
    assert not desk.told
    desk.notice(False, at=5)
    desk.work()
    assert desk.told == [False]


def test_what_fails_does_not_end_the_thread() -> None:
    desk = Desk()
    broken = TypingSigns(lambda **_: 1 / 0 > 0, lambda *job: desk.queued.append(job), lambda: 0.0)
    broken.notice(desk.place, HOLDER, writing=True)
    desk.work()
    broken.notice(desk.place, HOLDER, writing=False)
    assert len(desk.queued) == 1
