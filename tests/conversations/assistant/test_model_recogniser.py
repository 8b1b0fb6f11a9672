"""The recogniser behind the OpenAI-compatible port: believed within bounds, and never needed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from conversations.domain.intents.rules import RuleRecogniser
from conversations.recognisers.llm import LlmRecogniser
from flows.extraction.llm_endpoint import LlmConfig
from tests.conversations.assistant.world import Visitor
from tests.flows.extraction.llm_server import Script, llm_server

ODD = "my feet hurt when I jog around the lake"


@pytest.fixture
def model() -> Iterator[Script]:
    with llm_server() as script:
        yield script


@pytest.fixture
def recogniser(model: Script) -> LlmRecogniser:
    return LlmRecogniser(LlmConfig(model.base_url, "m", "k", timeout_seconds=2), RuleRecogniser(["shoes"]))


def says(model: Script, intent: Any, confidence: Any = 0.9, query: Any = "") -> None:
    model.content = json.dumps({"intent": intent, "confidence": confidence, "query": query})


def test_what_the_rules_do_not_settle_is_asked_of_the_model(recogniser: LlmRecogniser, model: Script) -> None:
    says(model, "product_search", 0.8, "jog feet")
    found = recogniser.recognise(ODD)
    assert (found.intent, found.confidence, found.query) == ("product_search", 0.8, "jog feet")
    system, user = model.requests[0]["messages"]
    assert (system["role"], user) == ("system", {"role": "user", "content": ODD})
    assert ODD not in system["content"]


def test_words_the_visitor_never_said_are_not_searched_for(recogniser: LlmRecogniser, model: Script) -> None:
    says(model, "product_search", 0.8, "expensive orthopaedic shoes")
    assert recogniser.recognise(ODD).query == ODD


@pytest.mark.parametrize("text", ["I want to talk to a human", "wakha", "la", "show more"])
def test_a_person_and_the_seeds_own_words_never_wait_for_a_model(
    recogniser: LlmRecogniser, model: Script, text: str
) -> None:
    says(model, "thanks", 1)
    assert recogniser.recognise(text) == RuleRecogniser(["shoes"]).recognise(text)
    assert not model.requests


@pytest.mark.parametrize(
    "broken",
    [
        {"status": 500},
        {"status": 429},
        {"content": "not json"},
        {"content": "[]"},
        {"content": json.dumps({"intent": "launch_missiles", "confidence": 1, "query": ""})},
        {"content": json.dumps({"intent": "thanks", "confidence": 7, "query": ""})},
        {"content": json.dumps({"intent": "thanks", "confidence": True, "query": ""})},
        {"content": json.dumps({"intent": "confirm", "confidence": 1, "query": ""})},
        {"content": json.dumps({"intent": "product_search", "confidence": 1, "query": None})},
        {"finish_reason": "length"},
        {"raw_body": b"<html>"},
    ],
)
def test_without_a_usable_answer_the_rules_guess_counts(
    recogniser: LlmRecogniser, model: Script, broken: dict[str, Any]
) -> None:
    for name, value in broken.items():
        setattr(model, name, value)
    assert recogniser.recognise("red shoes") == RuleRecogniser(["shoes"]).recognise("red shoes")


def test_none_of_them_is_not_understood(recogniser: LlmRecogniser, model: Script) -> None:
    says(model, "none", 0.9)
    assert recogniser.recognise(ODD).clear_intent is None


@pytest.mark.django_db
def test_a_configured_model_drives_the_dialogue_and_is_left_alone_while_a_person_has_it(
    visitor: Visitor, model: Script, settings: Settings
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = model.base_url, "m"
    says(model, "product_search", 0.9, "running")
    answer = visitor.say("something for running around the lake on sore feet")
    assert answer["dialogue"]["state"] == "recommending"
    assert answer["reply"]["cards"]
    visitor.click("human")
    asked = len(model.requests)
    assert asked == 1
    visitor.say("are you still there, my feet hurt")
    assert len(model.requests) == asked
