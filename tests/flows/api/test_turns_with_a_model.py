"""Turns whose words a model reads, over HTTP, with everything that can go wrong there."""

import pytest
from pytest_django import Settings

from flows.services import simulation
from tests.cast import Actor, Opens, accepted
from tests.flows.api.support import SLUG, Visitor, contact_flow, heard, published
from tests.flows.extraction.llm_server import Script, llm_server


@pytest.fixture
def model(settings: Settings) -> Script:
    with llm_server() as script:
        settings.LLM_BASE_URL, settings.LLM_API_KEY, settings.LLM_MODEL = script.base_url, "k", "m"
        yield script


@pytest.fixture
def visitor(model: Script, editor: Actor, router: Actor, opened: Opens) -> Visitor:
    published(editor)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    return visitor


def test_what_the_model_points_at_is_the_fact_with_its_words(model: Script, visitor: Visitor) -> None:
    model.facts(("contact_email", "ann@example.com", "ann@example.com"))
    assert visitor.say("that would be ann@example.com I guess")["status"] == "COMPLETE"
    assert visitor.runtime()["factValues"]["contact_email"]["words"] == "ann@example.com"
    assert len(model.requests) == 1  # the opening turn asked nobody


@pytest.mark.parametrize(
    "claim",
    [
        ("contact_email", "mary@example.com", "mary@example.com"),
        ("contact_email", "rather not", "ann@example.com"),
        ("iban", "rather not", "NL91"),
    ],
)
def test_what_the_model_makes_up_is_no_fact(model: Script, visitor: Visitor, claim: tuple[str, str, str]) -> None:
    model.facts(claim)
    answer = visitor.say("rather not")
    assert (answer["factsProduced"], heard(answer)) == ([], [("mail-1", "RETRY")])
    assert visitor.runtime()["facts"] == []


@pytest.mark.parametrize(
    "trouble",
    [{"status": 500}, {"status": 429}, {"raw_body": b"<html>"}, {"content": "Sure!"}, {"finish_reason": "length"}],
)
def test_a_model_in_trouble_costs_no_turn(
    model: Script, visitor: Visitor, trouble: dict, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in trouble.items():
        setattr(model, name, value)
    assert visitor.say("ann@example.com")["status"] == "COMPLETE"
    assert "fell back to typed readers" in caplog.text
    assert "ann@example.com" not in caplog.text


def test_a_person_who_has_the_conversation_reads_for_themselves(
    model: Script, visitor: Visitor, operator: Actor
) -> None:
    operator.post(f"{visitor.path}/takeover", {"reason": "mine"})
    assert visitor.say("ann@example.com")["suppressed"] == "owned_by_human"
    assert model.requests == []


def test_a_whole_simulation_waits_for_the_model_only_so_long(
    model: Script, editor: Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(simulation, "READING_SECONDS", 0.1)
    model.delay = 0.06
    talk = [{}, *({"text": "rather not", "facts": None} for _ in range(2)), {"text": "ann@example.com"}]
    definition = contact_flow()
    definition["nodes"][1]["retryPolicy"] = {"maxAttempts": 9}
    played = accepted(editor.post("/flows/simulate", {"definition": definition, "script": talk}))
    assert played["status"] == "COMPLETE"  # the address was read by rule: the model finds nothing
    assert 0 < len(model.requests) < 3  # three lines had words to read
    assert "goes on by typed readers: budget" in caplog.text
