"""A conductor process is killed for real (SIGKILL), at each side of each commit: none lost, none twice."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django import Settings

from conversations.models import Event, ScheduledReply
from conversations.services import conductor, posting
from conversations.services.conductor import carry_on, post_due_replies, think_reply
from conversations.services.threads import ThreadEvent, handle_thread_event
from guards.services.policy import change_policy
from tests.conversations.outgoing.http_server import Endpoint, http_server
from tests.conversations.threads.world import make_personas, only_reply, types_of
from tests.killing import die, killed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agent() -> Iterator[Endpoint]:
    with http_server() as endpoint:
        yield endpoint


def due_reply() -> ScheduledReply:
    change_policy(partial={"threads": {"min_delay_seconds": 0, "max_delay_seconds": 0}}, author="test")
    handle_thread_event(ThreadEvent("t", "e", "visitor", "hello"), actor="key:1")
    return only_reply()


def thinking_reply(agent: Endpoint, settings: Settings) -> ScheduledReply:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    make_personas("ada", responder={"kind": "http", "url": agent.url, "secret": "a secret of the agent"})
    return due_reply()


def lease_ends() -> None:
    ScheduledReply.objects.update(due_at=timezone.now())


def test_killed_before_the_commit_it_did_nothing_and_the_next_one_posts() -> None:
    make_personas("ada")
    reply = due_reply()

    def work() -> None:
        record = posting.event_store.append

        def recorded_then_dead(*args: object, **told: object) -> None:
            record(*args, **told)
            die()

        posting.event_store.append = recorded_then_dead
        carry_on(reply.pk)

    killed(work)
    assert "persona_replied" not in types_of()
    post_due_replies()
    assert types_of().count("persona_replied") == 1


def test_killed_after_the_commit_the_next_one_does_not_post_again() -> None:
    make_personas("ada")
    reply = due_reply()

    def work() -> None:
        carry_on(reply.pk)
        die()

    killed(work)
    post_due_replies()
    assert types_of().count("persona_replied") == 1


def test_killed_between_the_two_transactions_another_asks_again(agent: Endpoint, settings: Settings) -> None:
    reply = thinking_reply(agent, settings)

    def work() -> None:
        conductor.current_app.send_task = die
        carry_on(reply.pk)

    killed(work)
    assert types_of()[-1] == "persona_thinking"
    lease_ends()
    post_due_replies()
    think_reply(reply.pk, attempt=2)
    assert types_of().count("persona_replied") == 1


def test_killed_with_the_answer_in_hand_another_asks_again(agent: Endpoint, settings: Settings) -> None:
    reply = thinking_reply(agent, settings)
    carry_on(reply.pk)

    def work() -> None:
        conductor.finish = die
        think_reply(reply.pk, attempt=1)

    killed(work)
    assert len(agent.received) == 1
    lease_ends()
    post_due_replies()
    think_reply(reply.pk, attempt=2)
    posted = Event.objects.filter(type="persona_replied")
    assert posted.count() == 1
    assert len({request.body for request in agent.received}) == 1, "the agent can tell that it was asked again"
