"""An agent words the reply outside of the locks: whatever happens meanwhile, it is posted once or kept, never twice."""

import json
import threading
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from conversations.models import ScheduledReply
from conversations.services import conductor
from conversations.services.conductor import LEASE, MAX_ATTEMPTS, finish, post_due_replies, think_reply
from tests.cast import Actor, Clock, accepted
from tests.conversations.outgoing.http_server import Endpoint, http_server
from tests.conversations.threads.world import World, events_of, last_event, make_personas, only_reply, types_of

pytestmark = pytest.mark.django_db
SECRET = "a secret of the agent"


@pytest.fixture
def agent() -> Iterator[Endpoint]:
    with http_server() as endpoint:
        yield endpoint


@pytest.fixture
def asked(router: Actor, editor: Actor, clock: Clock, agent: Endpoint, settings: Settings) -> World:
    """A message whose reply an agent is about to word: the first transaction is over, the call is not made."""
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    make_personas("ada", responder={"kind": "http", "url": agent.url, "secret": SECRET})
    world = World(router, editor, clock)
    world.say(text="how much is it?")
    world.later(seconds=8)
    assert last_event().type == "persona_thinking"
    return world


def test_the_agent_is_asked_with_the_message_and_its_words_are_posted(asked: World, agent: Endpoint) -> None:
    agent.body = json.dumps({"text": "Forty euros."}).encode()
    think_reply(only_reply().pk, attempt=1)
    assert (last_event().type, last_event().payload["text"]) == ("persona_replied", "Forty euros.")
    told = json.loads(agent.received[0].body)
    assert (told["visitor_text"], told["persona"], told["message_id"]) == (
        "how much is it?",
        "ada",
        str(only_reply().pk),
    )


def test_a_conductor_that_died_while_thinking_is_followed_by_another(asked: World, agent: Endpoint) -> None:
    asked.later(seconds=LEASE.total_seconds() - 1)
    assert types_of().count("persona_thinking") == 1, "the lease still holds"
    asked.later(seconds=1)
    assert last_event().payload["attempt"] == 2
    think_reply(only_reply().pk, attempt=2)
    assert types_of().count("persona_replied") == 1


def test_an_answer_that_comes_after_the_lease_was_taken_over_is_discarded(asked: World, agent: Endpoint) -> None:
    asked.later(seconds=LEASE.total_seconds())
    finish(only_reply().pk, "too late", attempt=1)
    assert "persona_replied" not in types_of()
    think_reply(only_reply().pk, attempt=2)
    finish(only_reply().pk, "again", attempt=2)
    assert [event.payload["text"] for event in events_of() if event.type == "persona_replied"] == ["Hello"]


def test_a_task_that_starts_after_its_lease_does_not_call_the_agent(asked: World, agent: Endpoint) -> None:
    asked.clock.advance(seconds=LEASE.total_seconds())
    think_reply(only_reply().pk, attempt=1)
    assert not agent.received


def test_an_agent_that_never_lets_a_conductor_live_is_given_up(asked: World) -> None:
    for _ in range(MAX_ATTEMPTS):
        asked.later(seconds=LEASE.total_seconds())
    dropped = last_event()
    assert (dropped.type, dropped.payload["code"]) == ("persona_dropped", "responder_failed")
    assert dropped.payload["reason"] == "lease_expired"
    assert types_of().count("persona_thinking") == MAX_ATTEMPTS


def test_an_answer_given_while_a_person_took_over_stays_a_draft(
    asked: World, operator: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = conductor.answer_of

    def slow(reply: ScheduledReply) -> str:
        accepted(operator.post(f"/relationships/{reply.thread_id}/takeover", {}), 201)
        return word(reply)

    monkeypatch.setattr(conductor, "answer_of", slow)
    think_reply(only_reply().pk, attempt=1)
    draft = last_event()
    assert (draft.type, draft.payload["code"], draft.payload["text"]) == ("persona_drafted", "owned_by_human", "Hello")
    assert only_reply().state == "drafted"


def test_a_message_during_the_thinking_postpones_and_the_answer_is_not_asked_for_again(
    asked: World, agent: Endpoint
) -> None:
    asked.clock.advance(seconds=1)
    assert asked.say(bot_id="B1")["action"] == "skip"
    asked.clock.advance(seconds=1)
    think_reply(only_reply().pk, attempt=1)
    assert (last_event().type, last_event().payload["text"]) == ("persona_postponed", "Hello")
    asked.later(seconds=3)
    assert (last_event().type, last_event().payload["text"]) == ("persona_replied", "Hello")
    assert len(agent.received) == 1
    assert only_reply().text is None, "words are kept in the chain alone"


def test_a_guard_that_refuses_after_the_thinking_leaves_a_draft(asked: World) -> None:
    asked.policy(max_turns=1)
    asked.say()
    think_reply(only_reply().pk, attempt=1)
    assert (last_event().type, last_event().payload["code"]) == ("persona_drafted", "max_turns")


def test_a_conversation_closed_during_the_thinking_gets_no_reply(asked: World) -> None:
    reply = only_reply()
    accepted(asked.router.post(f"/relationships/{reply.thread_id}/close", {"closure_type": "completed"}))
    think_reply(reply.pk, attempt=1)
    finish(reply.pk, "too late", attempt=1)
    assert last_event().type == "conversation_closure"


@pytest.mark.parametrize(
    ("status", "outcomes"),
    [
        (503, ["persona_postponed", "persona_postponed", "persona_dropped"]),
        (400, ["persona_dropped"]),
    ],
)
def test_a_failing_agent_is_asked_again_only_where_that_may_help(
    asked: World, agent: Endpoint, status: int, outcomes: list[str]
) -> None:
    agent.status = status
    met = []
    for attempt in range(1, MAX_ATTEMPTS + 1):
        think_reply(only_reply().pk, attempt=attempt)
        met.append(last_event().type)
        if only_reply().state == "dropped":
            break
        asked.later(seconds=2**attempt)
    assert met == outcomes
    assert last_event().payload["reason"] == f"http_{status}"
    assert len(agent.received) == len(outcomes)


def test_a_responder_that_is_no_longer_allowed_is_dropped(asked: World, settings: Settings) -> None:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = False
    think_reply(only_reply().pk, attempt=1)
    assert (last_event().type, last_event().payload["reason"]) == ("persona_dropped", "not_configured")


@pytest.mark.django_db(transaction=True)
def test_no_lock_is_held_while_the_agent_thinks(asked: World, agent: Endpoint) -> None:
    """Another message is taken in while the call is under way."""
    agent.delay = 0.5
    agent_called = threading.Thread(target=in_thread, args=(only_reply().pk,))
    agent_called.start()
    while not agent.received:
        threading.Event().wait(0.01)
    asked.say()
    assert "persona_replied" not in types_of()
    agent_called.join(10)
    assert last_event().type == "persona_postponed"


def in_thread(reply_id: object) -> None:
    from django.db import connection

    try:
        think_reply(reply_id, attempt=1)
    finally:
        connection.close()


def test_the_wake_up_is_only_a_hint(asked: World, agent: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker that is down costs a lease, not the reply."""

    def down(*_: object, **__: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(conductor.current_app, "send_task", down)
    asked.clock.advance(seconds=LEASE.total_seconds())
    post_due_replies()
    assert last_event().payload["attempt"] == 2
    think_reply(only_reply().pk, attempt=2)
    assert last_event().type == "persona_replied"
