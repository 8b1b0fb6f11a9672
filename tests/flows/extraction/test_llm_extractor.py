import logging
import socket

import jsonschema
import pytest

from flows.extraction.llm import LlmExtractor
from flows.extraction.llm_endpoint import MAX_ANSWER_BYTES, LlmConfig
from tests.flows.extraction.llm_server import llm_server
from tests.flows.extraction.support import NOW, extract, spec

EMAIL = spec("email", "email")
PLAN = spec("plan", "choice", choices=("basic", "premium"))
TARGET, BASELINE = spec("goal_target", "quantity"), spec("goal_baseline", "quantity")
GOAL = "I want to bench press 300 lbs, currently at 225 lbs"


@pytest.fixture
def model():
    with llm_server() as script:
        yield script


def ask(model, text, *wanted, timeout=5.0):
    config = LlmConfig(base_url=model.base_url, model="m", api_key="k", timeout_seconds=timeout)
    return LlmExtractor(config).extract(text=text, wanted=wanted, now=NOW)


def values(result):
    return {name: fact.value for name, fact in result.facts.items()}


def rejections(result):
    return {(rejection.name, rejection.code) for rejection in result.rejected}


def test_the_model_is_asked_once_with_a_strict_schema_its_own_answer_fits(model):
    model.facts(("email", "john@example.com", "john@example.com"))
    result = ask(model, "Ok, john@example.com", EMAIL)
    (request,) = model.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["authorization"] == "Bearer k"
    assert request["model"] == "m"
    assert request["messages"][-1] == {"role": "user", "content": "Ok, john@example.com"}
    wrapped = request["response_format"]["json_schema"]
    assert request["response_format"]["type"] == "json_schema"
    assert wrapped["strict"] is True
    jsonschema.validate({"facts": [{"name": "email", "words": "a", "value": "b"}]}, wrapped["schema"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"facts": [{"name": "iban", "words": "a", "value": "b"}]}, wrapped["schema"])
    assert values(result) == {"email": "john@example.com"}
    assert result.fallback_reason is None
    assert result.facts["email"].extractor == "llm.email"
    assert result.facts["email"].span.words == "john@example.com"


def test_the_value_is_read_by_our_own_reader_from_the_words_quoted(model):
    model.facts(("goal_target", "300 lbs", "three hundred"), ("goal_baseline", "currently at 225 lbs", "225"))
    result = ask(model, GOAL, TARGET, BASELINE)
    assert values(result) == {
        "goal_target": {"amount": "300", "unit": "lb"},
        "goal_baseline": {"amount": "225", "unit": "lb"},
    }


def test_of_several_values_in_the_quote_the_one_meant_is_taken(model):
    model.facts(("goal_baseline", GOAL, "225 lbs"))
    assert values(ask(model, GOAL, BASELINE)) == {"goal_baseline": {"amount": "225", "unit": "lb"}}
    model.facts(("goal_baseline", GOAL, "lots"))
    result = ask(model, GOAL, BASELINE)
    assert values(result) == {}
    assert rejections(result) == {("goal_baseline", "ambiguous")}


def test_a_choice_may_be_understood_from_words_that_do_not_name_it(model):
    model.facts(("plan", "the cheap one", "basic"))
    result = ask(model, "the cheap one please", PLAN)
    assert values(result) == {"plan": "basic"}
    assert result.facts["plan"].confidence < 0.9


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (("iban", "john@example.com", "NL91"), "not_wanted"),
        (("email", "mary@example.com", "mary@example.com"), "words_not_in_text"),
        (("email", "", "john@example.com"), "words_not_in_text"),
        (("email", "Ok", "john@example.com"), "wrong_type"),
        (("plan", "Ok", "gold"), "wrong_type"),
    ],
)
def test_a_made_up_fact_is_dropped_and_reported(model, claim, code):
    model.facts(claim)
    result = ask(model, "Ok, john@example.com", EMAIL, PLAN)
    assert values(result) == {}
    assert rejections(result) == {(claim[0], code)}
    assert result.fallback_reason is None


def test_a_made_up_fact_does_not_take_a_true_one_with_it(model):
    model.facts(("iban", "NL91", "NL91"), ("email", "john@example.com", "x"), ("email", "Ok", "y"))
    result = ask(model, "Ok, john@example.com", EMAIL)
    assert values(result) == {"email": "john@example.com"}
    assert rejections(result) == {("iban", "not_wanted"), ("email", "duplicate")}


def test_a_refusal_quoted_as_free_text_is_no_value(model):
    model.facts(("note", "not ready to share that", "not ready"))
    assert values(ask(model, "Umm, not ready to share that", spec("note"))) == {}


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        ({"delay": 20.0}, "timeout"),
        ({"drip": 0.05}, "timeout"),
        ({"headers_drip": 0.2}, "timeout"),
        ({"status": 500}, "http_500"),
        ({"status": 429}, "rate_limited"),
        ({"status": 401}, "http_401"),
        ({"raw_body": b"<html>"}, "not_json"),
        ({"raw_body": b"[" * 50_000}, "not_json"),
        ({"raw_body": b'{"choices": []}'}, "wrong_schema"),
        ({"raw_body": b" " * (MAX_ANSWER_BYTES + 1)}, "too_large"),
        ({"content": "Sure! Here are the facts"}, "not_json"),
        ({"content": '{"email": "john@example.com"}'}, "wrong_schema"),
        ({"content": '{"facts": [{"name": "email"}]}'}, "wrong_schema"),
        ({"content": '{"facts": [{"name": "email", "words": 1, "value": "x"}]}'}, "wrong_schema"),
        ({"content": None}, "empty"),
        ({"finish_reason": "length"}, "incomplete"),
    ],
)
def test_any_failure_falls_back_to_the_typed_readers_and_says_why(model, trouble, reason, caplog):
    for name, value in trouble.items():
        setattr(model, name, value)
    with caplog.at_level(logging.INFO):
        result = ask(model, "Ok, john@example.com", EMAIL, timeout=0.5)
    assert result.fallback_reason == reason
    assert result.facts == extract("Ok, john@example.com", EMAIL).facts
    assert reason in caplog.text
    assert "john@example.com" not in caplog.text


def test_an_endpoint_that_is_not_there_falls_back_too():
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        config = LlmConfig(base_url=f"http://127.0.0.1:{reserved.getsockname()[1]}/v1", model="m")
        result = LlmExtractor(config).extract(text="john@example.com", wanted=[EMAIL], now=NOW)
    assert result.fallback_reason == "unreachable"
    assert values(result) == {"email": "john@example.com"}


def test_nothing_wanted_or_nothing_said_asks_nobody(model):
    ask(model, "hello")
    ask(model, "   ", EMAIL)
    assert model.requests == []


def test_the_key_is_never_shown():
    assert "sesame" not in repr(LlmConfig(base_url="http://x", model="m", api_key="sesame"))
