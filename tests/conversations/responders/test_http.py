import hashlib
import hmac
import json

import pytest

from conversations.responders.http import MAX_ANSWER_BYTES, HttpResponder
from conversations.responders.port import MAX_REPLY, Directive, ResponderFailure
from tests.conversations.outgoing.http_server import http_server
from tests.conversations.responders.support import NOW, request

SECRET = "a secret of the agent"


@pytest.fixture
def agent():
    with http_server() as endpoint:
        yield endpoint


def ask(agent, **settings):
    settings = {"allow_private": True, "timeout_seconds": 5.0} | settings
    return HttpResponder(url=agent.url, secret=SECRET, **settings).respond(
        request=request(directive=Directive.REPHRASE)
    )


def test_the_agents_text_is_the_reply(agent):
    agent.body = json.dumps({"text": " Dag Jan \n"}).encode()
    reply = ask(agent)
    assert (reply.text, reply.responder) == ("Dag Jan", "http")


def test_the_agent_gets_what_it_needs_to_word_a_reply(agent):
    ask(agent)
    (received,) = agent.received
    assert json.loads(received.body) == {
        "relationship": "r1",
        "message_id": "m1",
        "persona": "",
        "prompt": "Hi {name}, what is your e-mail address?",
        "directive": "REPHRASE",
        "facts": {"name": "Jan"},
        "visitor_text": "hello",
        "history": [{"speaker": "visitor", "text": "hello"}],
    }


def test_the_request_is_signed_over_time_and_body(agent):
    ask(agent)
    (received,) = agent.received
    moment = str(int(NOW.timestamp()))
    expected = hmac.new(SECRET.encode(), moment.encode() + b"." + received.body, hashlib.sha256).hexdigest()
    assert received.headers["X-Lastword-Signature"] == f"t={moment},v1={expected}"


@pytest.mark.parametrize(
    ("trouble", "code", "retryable"),
    [
        ({"delay": 20.0}, "timeout", True),
        ({"status": 500}, "http_500", True),
        ({"status": 429}, "http_429", True),
        ({"status": 404}, "http_404", False),
        ({"status": 302, "headers": {"Location": "/elsewhere"}}, "http_302", False),
        ({"body": b"x" * (MAX_ANSWER_BYTES + 1)}, "answer_too_large", False),
        ({"body": b"<html>"}, "not_json", False),
        ({"body": b"[" * 50_000}, "not_json", False),
        ({"body": b'["text"]'}, "bad_answer", False),
        ({"body": b'{"text": 1}'}, "bad_answer", False),
        ({"body": b'{"text": "  "}'}, "empty_answer", True),
        ({"body": json.dumps({"text": "x" * (MAX_REPLY + 1)}).encode()}, "answer_too_long", False),
    ],
)
def test_every_failure_has_a_name_and_says_whether_to_try_again(agent, trouble, code, retryable, caplog):
    for name, value in trouble.items():
        setattr(agent, name, value)
    with pytest.raises(ResponderFailure) as failed:
        ask(agent, timeout_seconds=0.4 if code == "timeout" else 5.0)
    assert (failed.value.code, failed.value.retryable) == (code, retryable)
    assert "Jan" not in caplog.text


def test_an_agent_on_this_machine_is_not_asked_unless_allowed(agent):
    with pytest.raises(ResponderFailure) as failed:
        ask(agent, allow_private=False)
    assert (failed.value.code, failed.value.retryable) == ("address_loopback", False)
    assert agent.received == []


def test_an_agent_that_is_not_there_may_come_back():
    with http_server() as gone:
        pass
    with pytest.raises(ResponderFailure) as failed:
        ask(gone)
    assert (failed.value.code, failed.value.retryable) == ("unreachable", True)


def test_the_secret_is_never_shown():
    assert SECRET not in repr(HttpResponder(url="https://example.com", secret=SECRET))
