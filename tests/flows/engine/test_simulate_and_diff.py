"""Talking to a draft by script, and comparing two versions of it."""

from flows.engine.compiled import load
from flows.engine.diff import diff
from flows.engine.outcome import Reply
from flows.engine.simulate import Line, simulate
from tests.flows.engine.support import asker, flow, teller


def test_the_first_line_opens_the_flow_and_each_line_has_one_answer():
    played = simulate(load(flow(teller(importance="high"), asker())), [Line(), Line("x", {"goal": 1})])
    assert [len(answer.spoken) for answer in played.trace] == [2, 0]
    assert played.to_json()["status"] == "COMPLETE"


def test_extraction_is_asked_for_what_is_wanted_unless_the_script_brings_facts():
    asked = []

    def extract(text, wanted):
        asked.append((text, [each.name for each in wanted]))
        return Reply(text, {each.name: text for each in wanted}, {each.name: text for each in wanted})

    flow_ = load(flow(asker()))
    assert simulate(flow_, [Line(), Line("run", {})], extract).state.status == "OK"
    played = simulate(flow_, [Line(), Line("run")], extract)
    assert played.state.status == "COMPLETE"
    assert played.state.facts["goal"].words == "run"
    assert asked == [("", []), ("", []), ("run", ["goal"])]


def test_the_answer_has_the_shape_of_turns():
    answer = simulate(load(flow(asker(prompts=["Goal?"]))), [Line()]).to_json()["trace"][0]
    assert set(answer) == {
        "decisions", "status", "factsProduced", "factsIgnored", "statesProduced", "gatesLost", "gatesSatisfied",
        "reply", "why_not",
    }  # fmt: skip
    assert answer["reply"] == {"text": "Goal?", "quick_replies": [], "cards": []}


def test_choices_are_offered_as_quick_replies_also_under_an_alias():
    facts = {"goal": {"type": "choice", "choices": ["run", "swim"]}}
    plain = simulate(load(flow(asker(prompts=["Goal?"]), facts=facts)), [Line()]).trace[0]
    assert [quick["title"] for quick in plain.reply()["quick_replies"]] == ["run", "swim"]
    raw = {"aim": {"type": "choice", "choices": ["run"]}}
    document = flow(asker(produces=["aim"], prompts=["?"]), facts=raw, factAliases={"aim": "goal"})
    assert simulate(load(document), [Line()]).trace[0].quick_replies == ("run",)


def test_a_diff_names_nodes_by_id_and_shows_old_and_new():
    old = flow(asker(prompts=["a"]), teller())
    new = flow(asker(prompts=["b"], title="Ask"), teller("bye-1"), name="other")
    assert diff(old, new).to_json() == {
        "added": ["/nodes/bye-1", "/nodes/goal-1/title"],
        "removed": ["/nodes/hello-1"],
        "changed": [
            {"path": "/name", "from": "test", "to": "other"},
            {"path": "/nodes/goal-1/prompts", "from": ["a"], "to": ["b"]},
        ],
    }


def test_a_changed_order_of_nodes_is_a_change_because_position_decides():
    changed = diff(flow(asker(), teller()), flow(teller(), asker())).changed
    assert [(each.path, each.before, each.after) for each in changed] == [
        ("/nodes", ["goal-1", "hello-1"], ["hello-1", "goal-1"])
    ]


def test_equal_definitions_have_an_empty_diff():
    assert diff(flow(asker()), flow(asker())).to_json() == {"added": [], "removed": [], "changed": []}
