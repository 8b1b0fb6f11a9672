"""Findings in the words of the page, from the very sentences whose English is the API's."""

import json
from collections.abc import Iterator

import pytest
from django.utils.translation import gettext, override

from flows.engine.findings import Finding
from flows.engine.validation import validate, validate_text
from flows.models import Flow
from tests.cast import Actor, accepted, refused
from tests.flows.api.support import contact_flow
from tests.flows.engine.test_findings import CASES
from tests.flows.views.conftest import Person

UNREADABLE = {
    "not JSON": "{",
    "twice": '{"a": 1, "a": 2}',
    "NaN": "NaN",
    "no object": "[]",
    "strange parts": json.dumps(
        {
            "nam": "x",
            "name": 3,
            "primaryGoal": {"type": "GOAL", "gate": "", "state": "S"},
            "gateDefinitions": {"A": {}, "B": [], "x" * 101: {}},
            "facts": {"a": {"type": "choice"}, "b": {"type": "regex"}, "c": {"type": "regex", "pattern": "(a+)+"}},
            "nodes": [{"id": "a", "produces": "x", "skipIfSatisfied": 1, "title": "x" * 201}, 3],
            "postGoalPolicy": "NEVER",
            "defaults": {"retryPolicy": {"maxAttempts": 0, "cooldownTurns": None, "onExhaust": True}},
        }
    ),
}


@pytest.fixture
def dutch(author: Person) -> Person:
    author.client.cookies["django_language"] = "nl"
    return author


def all_findings() -> Iterator[Finding]:
    for document, _ in CASES.values():
        yield from validate(document).findings
    for text in UNREADABLE.values():
        yield from validate_text(text).findings


def test_no_finding_is_left_in_english_on_a_dutch_page() -> None:
    found = list(all_findings())
    with override("nl"):
        english = {
            str(part) for each in found for part in (each.message, each.suggestion) if part.said(gettext) == str(part)
        }
    assert english == set()


def test_the_editor_words_findings_in_dutch_and_the_api_in_english(dutch: Person, editor: Actor, stored: Flow) -> None:
    document = contact_flow()
    document["nodes"][1]["requires"] = ["NOWHERE"]
    [said] = accepted(dutch.asks("check", {"text": json.dumps(document)}))["findings"][:1]
    assert said["message"] == "de poort “NOWHERE” wordt gebruikt, maar is nergens vastgelegd"
    assert said["suggestion"] == "leg “NOWHERE” vast in gateDefinitions, of verbeter de naam"
    [told] = accepted(editor.post("/flows/validate", {"definition": document}))["findings"][:1]
    assert told["message"] == "the gate “NOWHERE” is used but nothing defines it"
    assert (said["code"], said["path"]) == (told["code"], told["path"])


def test_a_refusal_of_the_editor_and_its_findings_are_dutch(dutch: Person, stored: Flow) -> None:
    problem = refused(dutch.asks("try", {"definition": {"nodes": {}}, "script": [{}]}), 422, "flow_invalid")
    assert problem["detail"] == "De definitie laat zich niet laden."
    assert "moet een lijst zijn, niet een object" in {finding["message"] for finding in problem["findings"]}
