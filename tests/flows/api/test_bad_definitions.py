"""Definitions nobody should have sent: refused with the place, before anything costly is done with them.

No clock is looked at: without a bound these would not end, and the engine's own tests count what is read.
"""

import json

import pytest

from tests.cast import Actor, accepted, refused
from tests.flows.api.support import codes, contact_flow
from tests.flows.engine.support import asker


def findings_of(editor: Actor, document: object) -> set[tuple[str, str]]:
    report = accepted(editor.post("/flows/validate", {"definition": document}))
    assert not report["ok"]
    return codes(report["findings"])


def test_a_body_that_is_not_json_is_refused(editor: Actor) -> None:
    refused(editor.send("/flows/validate", '{"definition": {'), 400, "malformed_json")
    refused(editor.send("/flows", "nodes: []"), 400, "malformed_json")


@pytest.mark.parametrize("document", [None, 7, "flow", [], [{}]])
def test_a_definition_that_is_no_object_is_found_at_its_root(editor: Actor, document: object) -> None:
    assert findings_of(editor, document) == {("invalid_document", "")}


def test_an_unknown_key_is_found_where_it_stands(editor: Actor) -> None:
    document = contact_flow(nodez=[])
    document["nodes"][1]["prompt"] = "?"
    found = findings_of(editor, document)
    assert {("invalid_document", "/nodez"), ("invalid_document", "/nodes/1/prompt")} <= found


def test_aliases_that_go_round_are_found(editor: Actor) -> None:
    document = contact_flow(factAliases={"email": "contact_email", "a": "b", "b": "a"})
    found = findings_of(editor, document)
    assert {("alias_chain", "/factAliases/a"), ("alias_chain", "/factAliases/b")} <= found


def test_ten_thousand_nodes_are_refused(editor: Actor) -> None:
    document = contact_flow() | {"nodes": [{"id": f"n{number}"} for number in range(10_000)]}
    assert ("invalid_document", "/nodes") in findings_of(editor, document)


@pytest.mark.parametrize(
    "pattern",
    [
        *("(a+)+$", "(a|a)*$", "(.*)*x", "(?:a{1,99}){1,99}!", r"(a)\1*", "[", "a" * 201),
        # compiled, counted repeats are written out: these took the memory of the machine at the visitor's next word
        *("x{4000000000}", "(?:(?:(?:x{1000}){1000}){1000}){1000}", "(?:(?:x{999}){999})+"),
    ],
)
def test_a_pattern_that_could_hang_is_refused_where_it_stands(editor: Actor, pattern: str) -> None:
    document = contact_flow(facts={"contact_email": {"type": "regex", "pattern": pattern}})
    assert ("invalid_document", "/facts/contact_email/pattern") in findings_of(editor, document)


def test_a_slow_pattern_that_is_allowed_is_stopped_and_finds_nothing(editor: Actor) -> None:
    document = contact_flow(facts={"contact_email": {"type": "regex", "pattern": r".*a.*a.*a.*a.*b"}})
    played = editor.post("/flows/simulate", {"definition": document, "script": [{}, {"text": "a" * 20_000}]})
    assert [answer["factsProduced"] for answer in accepted(played)["trace"]] == [[], []]


def test_a_definition_that_nests_without_end_is_refused(editor: Actor) -> None:
    deep = '{"definition": ' + "[" * 10_000 + "]" * 10_000 + "}"
    refused(editor.send("/flows/validate", deep), 422, "invalid")


def test_a_thousand_entangled_nodes_are_judged_whole(editor: Actor) -> None:
    gates = {f"G{n}": {"satisfiedBy": {"metricsAll": [f"f{n}"]}} for n in range(1000)}
    nodes = [asker(f"n{n}", [f"f{n}"], [f"G{n}"], requires=[f"G{n - 1}"] if n else []) for n in range(1000)]
    goal = {"type": "GATE", "gate": "G999"}
    document = {"name": "long", "primaryGoal": goal, "gateDefinitions": gates, "nodes": nodes}
    body = json.dumps({"definition": document})
    report = accepted(editor.send("/flows/validate", body))
    assert (report["ok"], len(report["critical_nodes"])) == (True, 1000)
