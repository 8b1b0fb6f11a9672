"""I12: whatever a process was killed at, after recovery no turn is left open. First the checker's own eye for it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from audit.services.checkpoints import make_checkpoint
from audit.services.invariants import violations
from audit.services.invariants_of_people import left_open
from conversations.models import Channel, Delivery, Event, ScheduledReply
from conversations.services import conductor, deliveries
from conversations.services.channels import ChannelTerms, create_channel
from conversations.services.conductor import LEASE, carry_on, post_due_replies, think_reply
from conversations.services.relay import relay
from conversations.services.threads import ThreadEvent, handle_thread_event
from guards.services.policy import change_policy
from tests.cast import Actor, Opens, accepted
from tests.conversations.channels import slack_world
from tests.conversations.outgoing.http_server import Endpoint, http_server
from tests.conversations.threads.world import make_personas
from tests.flows.api.support import SLUG, contact_flow, published
from tests.killing import die, every_point, killed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agent() -> Iterator[Endpoint]:
    with http_server() as endpoint:
        yield endpoint


def open_turns() -> list[str]:
    """What the checker says once every lease has run out."""
    return [detail for _, detail in left_open(now=timezone.now() + timedelta(minutes=5))]


def leases_end() -> None:
    """Time passes: nobody who held a lease is alive to answer."""
    now = timezone.now()
    ScheduledReply.objects.update(due_at=now)
    Delivery.objects.filter(status=Delivery.Status.RECEIVED).update(available_at=now)


def recovered() -> None:
    """What the timetable does by itself after a fault, and then every invariant."""
    leases_end()
    deliveries.work_due()
    post_due_replies()
    for reply in ScheduledReply.objects.filter(state="thinking"):
        think_reply(reply.pk, attempt=reply.attempts)
    relay()
    make_checkpoint(now=timezone.now())
    assert open_turns() == []
    assert violations(drained=True) == []


@pytest.mark.parametrize("point", ["asked", "answered"])
def test_a_reply_whose_thinker_died_is_seen_and_taken_up_again(agent: Endpoint, settings: Settings, point: str) -> None:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    make_personas("ada", responder={"kind": "http", "url": agent.url, "secret": "a secret of the agent"})
    change_policy(partial={"threads": {"min_delay_seconds": 0, "max_delay_seconds": 0}}, author="test")
    handle_thread_event(ThreadEvent("t", "e", "visitor", "hello"), actor="key:1")
    reply = ScheduledReply.objects.get()

    def work() -> None:
        if point == "asked":
            conductor.current_app.send_task = die
        else:
            conductor.current_app.send_task = conductor.finish = lambda *_, **__: None
        carry_on(reply.pk)
        conductor.finish = die
        think_reply(reply.pk, attempt=1)

    killed(work)
    assert list(left_open(now=timezone.now())) == [], "within its lease it may still come to its end"
    assert open_turns() == ["1 replies are left unfinished"]
    assert [invariant for invariant, _ in left_open(now=timezone.now() + LEASE * 2)] == ["I12"]
    recovered()
    assert Event.objects.filter(type="persona_replied").count() == 1


def slack_message(channel: Channel) -> None:
    said = slack_world.envelope(slack_world.message("hello"), event_id="Ev1")
    assert slack_world.deliver(channel.webhook_path, said).status_code == 200


def test_a_delivery_whose_worker_died_is_seen_and_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "wake_worker", lambda _: None)  # the wake-up is lost with the broker
    channel = create_channel(
        terms=ChannelTerms(kind="slack", name="desk", secret=slack_world.SECRET, driver="assistant")
    )
    slack_message(channel)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.reason) == ("received", "")

    def work() -> None:
        deliveries.act_on = die
        deliveries.work(delivery.pk)

    killed(work)
    assert open_turns() == ["1 deliveries are left unworked"]
    recovered()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("worked", 2)
    slack_message(channel)  # the other side, which heard nothing, sends it again
    recovered()
    assert Delivery.objects.filter(status="duplicate").count() == 1


@pytest.mark.parametrize("driver", ["flow", "assistant"])
def test_a_turn_killed_at_any_statement_is_whole_or_never_began(
    router: Actor, editor: Actor, opened: Opens, driver: str
) -> None:
    """The caller who heard nothing sends the same message again, once, and the turn stands once, with its answer."""
    published(editor, contact_flow())
    terms = {"driver": "flow", "flow": SLUG} if driver == "flow" else {"driver": driver}
    paths = [opened(**terms)]

    def act(number: int) -> None:
        router.post(f"{paths[-1]}/turns", {"message_id": "m", "text": "hello"})

    for _ in every_point(act):
        accepted(router.post(f"{paths[-1]}/turns", {"message_id": "m", "text": "hello"}))
        turns = [
            event for event in accepted(router.get(f"{paths[-1]}/events"))["results"] if event["type"] == "turn_taken"
        ]
        assert [turn["payload"]["reply"] is not None for turn in turns] == [True]
        paths.append(opened(**terms))
    recovered()
