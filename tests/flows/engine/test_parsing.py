"""Bad documents become findings with a path, in bounded work, and never raise."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.engine.compiled import load
from flows.engine.definition import Importance, OnExhaust, VariantStrategy
from flows.engine.findings import FlowNotLoadable
from flows.engine.parsing import MAX_NODES, parse, parse_text
from flows.engine.patterns import pattern_problem
from flows.engine.reader import MAX_FINDINGS
from flows.engine.validation import validate, validate_text
from tests.flows.engine.strategies import flows
from tests.flows.engine.support import asker, flow, policy


def paths(document):
    return [finding.path for finding in parse(document).findings]


def test_a_whole_node_is_read():
    retry = policy(2, "BROADEN", cooldownTurns=1, promptVariantStrategy="ROTATE")
    document = flow(
        asker(title="Ask", importance="low", prompts=["a"], retryPolicy=retry, runPolicy={"maxExecutions": 4})
    )
    parsed = parse(document)
    node = parsed.definition.nodes[0]
    assert parsed.findings == ()
    assert (node.importance, node.max_executions, node.gates) == (Importance.LOW, 4, ("GOAL",))
    assert node.retry_policy.on_exhaust is OnExhaust.BROADEN
    assert node.retry_policy.prompt_variant_strategy is VariantStrategy.ROTATE


BAD_VALUES = [
    (("name",), 3, "/name"),
    (("primaryGoal",), None, "/primaryGoal"),
    (("primaryGoal",), {"type": "GATE"}, "/primaryGoal/gate"),
    (("primaryGoal", "type"), "WISH", "/primaryGoal/type"),
    (("primaryGoal", "type"), ["GATE"], "/primaryGoal/type"),
    (("primaryGoal", "state"), "S", "/primaryGoal/state"),
    (("postGoalPolicy",), "LATER", "/postGoalPolicy"),
    (("gateDefinitions",), [], "/gateDefinitions"),
    (("gateDefinitions", "GOAL"), {}, "/gateDefinitions/GOAL"),
    (("gateDefinitions", "GOAL", "satisfiedBy", "metricsAll"), "goal", "/gateDefinitions/GOAL/satisfiedBy/metricsAll"),
    (("gateDefinitions", "GOAL", "satisfiedBy", "all"), [], "/gateDefinitions/GOAL/satisfiedBy/all"),
    (("factAliases",), {"x": 1}, "/factAliases/x"),
    (("factAliases",), {"": "x"}, "/factAliases/"),
    (("facts",), {"x": {"type": "colour"}}, "/facts/x/type"),
    (("facts",), {"x": {"type": "choice"}}, "/facts/x/choices"),
    (("facts",), {"x": {"type": "regex"}}, "/facts/x/pattern"),
    (("facts",), {"x": {"type": "regex", "pattern": "(a+)+"}}, "/facts/x/pattern"),
    (("facts",), {"x/y": {"type": "regex", "pattern": "("}}, "/facts/x~1y/pattern"),
    (("nodes",), {}, "/nodes"),
    (("nodes",), None, "/nodes"),
    (("nodes", 0), None, "/nodes/0"),
    (("nodes", 0), "node", "/nodes/0"),
    (("nodes", 0, "id"), "", "/nodes/0/id"),
    (("nodes", 0, "id"), "a\u0000", "/nodes/0/id"),
    (("nodes", 0, "id"), "x" * 101, "/nodes/0/id"),
    (("nodes", 0, "importance"), "huge", "/nodes/0/importance"),
    (("nodes", 0, "produces"), ["a", 1], "/nodes/0/produces/1"),
    (("nodes", 0, "prompts"), ["x" * 4001], "/nodes/0/prompts/0"),
    (("nodes", 0, "prompts"), ["\ud800"], "/nodes/0/prompts/0"),
    (("nodes", 0, "prompts"), ["x"] * 21, "/nodes/0/prompts"),
    (("nodes", 0, "runPolicy"), {"maxExecutions": -1}, "/nodes/0/runPolicy/maxExecutions"),
    (("nodes", 0, "runPolicy"), {"maxExecutions": True}, "/nodes/0/runPolicy/maxExecutions"),
    (("nodes", 0, "runPolicy"), {"maxExecutions": 1.5}, "/nodes/0/runPolicy/maxExecutions"),
    (("nodes", 0, "retryPolicy"), {"maxAttempts": 0}, "/nodes/0/retryPolicy/maxAttempts"),
    (("nodes", 0, "retryPolicy"), {"onExhaust": "CRY"}, "/nodes/0/retryPolicy/onExhaust"),
    (("nodes", 0, "skipIfSatisfied"), "yes", "/nodes/0/skipIfSatisfied"),
    (("nodes", 0, "satisfies"), {"gate": []}, "/nodes/0/satisfies/gate"),
]


@pytest.mark.parametrize(("place", "value", "path"), BAD_VALUES)
def test_a_bad_value_is_reported_at_its_path_and_the_flow_does_not_load(place, value, path):
    document = copy.deepcopy(flow(asker()))
    inner = document
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    assert path in paths(document)
    with pytest.raises(FlowNotLoadable):
        load(document)


@pytest.mark.parametrize("document", [None, 3, "flow", [], True])
def test_a_document_that_is_no_object_is_one_finding(document):
    assert paths(document) == [""]


@pytest.mark.parametrize(
    "text", ["", "{", '{"a": 1, "a": 2}', '{"name": NaN}', "[" * 100_000, '{"a":' * 50_000, "\x00"]
)
def test_text_that_is_not_clean_json_is_one_finding(text):
    assert [finding.path for finding in parse_text(text).findings] == [""]
    assert validate_text(text).ok is False


def test_json_text_is_read_like_a_document():
    assert parse_text(json.dumps(flow(asker()))) == parse(flow(asker()))


def test_a_misspelt_key_is_named_with_the_nearest_known_one():
    finding = parse(flow(asker(promts=["hi"]))).findings[0]
    assert (finding.path, finding.node) == ("/nodes/0/promts", "goal-1")
    assert "prompts" in str(finding.suggestion)


def test_null_means_absent_for_optional_keys():
    assert paths(flow(asker(runPolicy={"maxExecutions": None}, retryPolicy=None, title=None))) == []


def test_ten_thousand_nodes_are_refused_without_reading_them():
    document = flow(*[{"nonsense": number} for number in range(10_000)])
    assert paths(document) == ["/nodes"]


def test_a_flood_of_mistakes_is_cut():
    document = flow(*[{"id": f"n{number}", "x": 1, "y": 2} for number in range(MAX_NODES)])
    assert len(parse(document).findings) == MAX_FINDINGS


def test_cycles_of_aliases_are_findings_and_not_a_hang():
    report = validate(flow(asker(), factAliases={"a": "b", "b": "a", "c": "c"}))
    assert [f.path for f in report.findings if f.code == "alias_chain"] == [
        "/factAliases/a", "/factAliases/b", "/factAliases/c",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a*)*b", "(a|a)*", "(a|aa)+$", "([a-z]+)*", "((ab)+c?)+", r"(\w+\s?)*", "(?:x+x+)+y", r"(a)\1",
     "(?=(a+)+)b", "(?>(a+)+)", "a{2,3}" * 50, "[", "(?P<n>", "a{99999999999}", "(?i:(a+)+)"],
)  # fmt: skip
def test_a_pattern_that_could_hang_or_is_broken_is_refused(pattern):
    assert pattern_problem(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\d{4}\s?[A-Z]{2}", r"NL\d{2}[A-Z]{4}\d{10}", "(yes|no)", "a+b*", r"(\d{3}-){2}\d"]
)
def test_an_ordinary_pattern_is_accepted(pattern):
    assert pattern_problem(pattern) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(document=flows(), key=st.sampled_from(["primaryGoal", "gateDefinitions", "facts", "nodes", "defaults"]),
       junk=json_values)  # fmt: skip
def test_no_document_makes_validation_raise(document, key, junk):
    report = validate({**document, key: junk})
    assert report.ok in (True, False)
    json.dumps(report.to_json())
