"""Loops that hide: by other words, other numbers, other parties, or work in between."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from guards.loops.detector import LoopDetector
from guards.loops.findings import Rule
from guards.loops.steps import Step, flow_turn, intent, message, response, tool_call, tool_result

ALARM = 0.8


def rules_that_fire(steps: Iterable[Step]) -> set[Rule]:
    detector = LoopDetector()
    return {f.rule for step in steps for f in detector.observe(step) if f.confidence >= ALARM}


def done(operation: str, parameters: object, answer: str, **result: bool) -> list[Step]:
    return [tool_call(operation, parameters), tool_result(operation, answer, **result)]


@pytest.mark.parametrize("parties", [2, 3, 4, 7, 12])
def test_a_round_of_any_number_of_parties(parties: int) -> None:
    ring = [message(f"agent{n}", f"please pass this on to agent{(n + 1) % parties} now") for n in range(parties)]
    assert Rule.CYCLE in rules_that_fire(ring * 3)


def test_a_round_of_calls_longer_than_a_pair() -> None:
    ring = [s for page in "abcd" for s in done("open", {"page": page}, f"this is page {page}")]
    assert rules_that_fire(ring * 3) & {Rule.CYCLE, Rule.REPEATED_CALL}


@pytest.mark.parametrize(
    "answer",
    [
        "still queued at 2026-03-01T10:0{n}:17Z",
        "still queued, request 9f1c2d3e4b5a69780{n}",
        "still queued, id 3f2504e0-4f89-41d3-9a0c-0305e82c330{n}",
        "still queued, waited {n}.25 seconds",
        "still queued (attempt {n})",
        "still queued, handle 0x7ffd{n}a20",
    ],
)
def test_answers_that_differ_in_a_clock_an_id_or_a_counter_only(answer: str) -> None:
    steps = [s for n in range(1, 4) for s in done("check", {"job": 7, "request_id": f"r{n}"}, answer.format(n=n))]
    assert Rule.REPEATED_CALL in rules_that_fire(steps)


@pytest.mark.parametrize("wrapped", [lambda text: text, lambda text: {"arguments": text}])
def test_arguments_as_json_text_are_the_same_in_any_order_of_keys(wrapped) -> None:
    texts = ['{"id":"X1","day":3}', '{"day":3,"id":"X1"}', '{ "day":3, "id":"X1" }']
    steps = [s for text in texts for s in done("check", wrapped(text), "nothing there")]
    assert Rule.REPEATED_CALL in rules_that_fire(steps)


@pytest.mark.parametrize("text", ["{not json", '{"a": ' * 3000, '{"n": ' + "9" * 9000 + "}", "[[" * 9000, '{"a"'])
def test_arguments_that_only_look_like_json_are_taken_as_they_are(text: str) -> None:
    assert Rule.REPEATED_CALL in rules_that_fire(done("check", text, "no") * 3)


@pytest.mark.parametrize("between", ["think", "note", "user"])
def test_whatever_comes_between_two_equal_calls(between: str) -> None:
    steps: list[Step] = []
    for n in range(3):
        steps += done("cancel", {"id": "X1"}, "Error: not allowed for this fare", error=True)
        if between == "user":
            steps += [message("user", "please try again")]
        else:
            steps += done(between, {"thought": f"thought number {n}"}, "" if between == "think" else f"kept {n}")
    assert Rule.REPEATED_CALL in rules_that_fire(steps)


def test_an_error_that_quotes_other_arguments_each_time() -> None:
    steps: list[Step] = []
    for path in ("src/main.py", "app/main.py", "lib/main.py"):
        steps += done("open_file", {"path": path}, f"Error: the file {path} does not exist on this machine", error=True)
    assert Rule.REPEATED_ERROR in rules_that_fire(steps)


def test_a_search_in_ever_new_words() -> None:
    wordings = [
        "number of edits of the wikipedia page on antidisestablishmentarianism until june 2023",
        "wikipedia antidisestablishmentarianism page number of edits until june 2023 history",
        "antidisestablishmentarianism wikipedia page history: edits number until june 2023",
    ]
    nothing = "No results found for this query on any page, try a less restrictive one."
    assert rules_that_fire(s for q in wordings for s in done("search", {"q": q}, nothing)) == {Rule.REWORDED_CALL}


def test_an_instruction_given_again_and_again_to_another_agent() -> None:
    wordings = [
        "Please scroll down the article and open the link to the paper at the bottom of the article.",
        "Please continue to scroll down the article and open the link to the paper at its bottom.",
        "Scroll further down the article, please, and open the link to the paper at the bottom.",
    ]
    page = "I scrolled down one page. The article about filaments is shown, no link is visible yet."
    steps = [s for text in wordings for s in done("delegate:surfer", {"instruction": text}, page)]
    assert Rule.REWORDED_CALL in rules_that_fire(steps)


REFUSALS = [
    "I am sorry, but basic economy tickets cannot be changed, and without insurance a refund is not possible here.",
    "Unfortunately a refund is not possible: basic economy tickets cannot be changed, and there is no insurance here.",
    "As I said, basic economy tickets cannot be changed and a refund is not possible without the insurance, sadly.",
    "I understand, still: basic economy tickets cannot be changed, a refund without the insurance is not possible.",
    "Again I must say that a refund is not possible as basic economy tickets cannot be changed without insurance.",
    "I do see your point, yet basic economy tickets cannot be changed, so without insurance no refund is possible.",
]


def test_a_refusal_in_ever_new_words() -> None:
    steps = [s for text in REFUSALS for s in (message("user", "But I really need it"), message("assistant", text))]
    assert rules_that_fire(steps) == {Rule.REPEATED_MESSAGE}


def test_a_faint_echo_must_return_more_often_than_a_clear_one() -> None:
    long = [f"{text} Is there anything else about this trip that I may look up?" for text in REFUSALS]
    assert Rule.REPEATED_MESSAGE in rules_that_fire([message("assistant", long[0])] * 3)
    assert Rule.REPEATED_MESSAGE not in rules_that_fire(message("assistant", text) for text in long[:3])


def test_a_person_who_says_the_same_four_times() -> None:
    plea = message("user", "I want to speak to a human being right now")
    steps = [s for n in range(4) for s in (plea, message("assistant", f"Option {n} could help you, is it {n}{n}?"))]
    assert Rule.REPEATED_MESSAGE in rules_that_fire(steps)


def test_a_flow_that_asks_the_same_and_gets_nothing() -> None:
    assert rules_that_fire(step for _ in range(3) for step in flow_turn("ask_budget", "ASK", []))


def test_two_agents_that_propose_the_same_over_and_over() -> None:
    steps: list[Step] = []
    for _ in range(3):
        steps += [intent("alice", "propose", {"price": 40}), response("declined", "too little")]
    assert rules_that_fire(steps)


def test_a_sentence_chanted_between_an_introduction_and_an_end() -> None:
    text = "Let me see what I can do. " + "The value is not yet known to me. " * 8 + "Done."
    assert rules_that_fire([message("bot", text)]) == {Rule.CHANTING}


def test_a_loop_far_down_a_long_history() -> None:
    work = [s for n in range(2_000) for s in done("get", {"n": n}, f"the value of {n} is {n * 31 % 977}")]
    assert Rule.REPEATED_CALL in rules_that_fire([*work, *done("get", {"n": "last"}, "none") * 3])
