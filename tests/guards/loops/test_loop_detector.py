"""What is a loop and what is not, rule by rule, with the hard negatives of real traces."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from guards.loops.detector import LoopDetector
from guards.loops.findings import Finding, LoopAction, LoopType, Rule
from guards.loops.steps import Step, message, tool_call, tool_result

ALARM = 0.8


def alarms(steps: Iterable[Step]) -> list[Finding]:
    detector = LoopDetector()
    return [f for step in steps for f in detector.observe(step) if f.confidence >= ALARM]


def done(operation: str, parameters: object, answer: str, **result: bool) -> list[Step]:
    return [tool_call(operation, parameters), tool_result(operation, answer, **result)]


def test_an_immediately_repeated_call_with_the_same_answer_is_redundant() -> None:
    [found] = alarms(done("list", {"day": 1}, "none") * 2)
    assert (found.rule, found.loop_type, found.action) == (Rule.REPEATED_CALL, LoopType.REDUNDANT, LoopAction.SKIP)
    assert found.evidence == (0, 2)


def test_three_equal_calls_in_the_window_are_infinite_even_with_other_work_in_between() -> None:
    steps = []
    for other in "abc":
        steps += done("status", {"job": 7}, "pending") + done("note", {"text": other}, f"saved {other}")
    found = alarms(steps)[0]
    assert (found.loop_type, found.action, found.evidence) == (LoopType.INFINITE, LoopAction.STOP, (0, 4, 8))


def test_an_equal_call_further_back_whose_result_changed_is_none() -> None:
    assert not alarms(
        done("status", {}, "10 % done") + done("status", {}, "40 % done") + done("status", {}, "90 % done")
    )


def test_answers_that_differ_only_in_clock_and_request_id_are_the_same() -> None:
    first = done("ping", {"request_id": "a1"}, "still waiting at 12:01:07, trace 7f3b2c1d-0a1b-4c3d-8e9f-001122334455")
    second = done("ping", {"request_id": "b2"}, "still waiting at 12:03:55, trace ab3b2c1d-0a1b-4c3d-8e9f-001122334466")
    assert alarms(first + second)


def test_batch_lookups_with_different_arguments_are_work() -> None:
    steps = [s for n in range(12) for s in done("get_reservation", {"id": f"AB{n}"}, "not found")]
    assert not alarms(steps)


def test_paging_is_progress() -> None:
    pages = ["apples pears plums", "nails screws bolts", "cats dogs birds", "red green blue", "north south east"]
    steps = [
        s
        for n, page in enumerate(pages)
        for s in done("search", {"query": "everything we have in stock today", "page": n}, page)
    ]
    assert not alarms(steps)


def test_rerunning_tests_after_an_edit_is_progress_while_the_outcome_changes() -> None:
    steps = []
    for n in (5, 3, 1, 0):
        steps += done("edit", {"patch": f"fix {n}"}, "ok") + done("run_tests", {}, f"{n} failed, {9 - n} passed")
    assert not alarms(steps)


def test_the_same_failure_three_times_is_a_loop_whatever_the_arguments() -> None:
    steps = []
    for paid in (957, 1047, 1002):
        text = f"Error: payment does not add up, price is 1100 but paid {paid}"
        steps += done("book", {"paid": paid}, text, error=True)
    [found] = [f for f in alarms(steps) if f.rule is Rule.REPEATED_ERROR]
    assert found.loop_type is LoopType.STUCK
    assert found.evidence == (0, 2, 4)


def test_retrying_with_the_card_a_person_just_named_is_no_loop() -> None:
    steps = []
    for card in ("card_11", "card_22", "card_33"):
        steps += [message("user", f"please use {card} then")]
        steps += done("pay", {"card": card}, "Error: balance is not enough", error=True)
    assert not alarms(steps)


def test_a_person_who_only_agrees_does_not_restart_the_count() -> None:
    steps = []
    for amount in (1, 2, 3):
        steps += [message("user", "yes, go on please")]
        steps += done("pay", {"amount": amount}, "Error: amount does not add up", error=True)
    assert alarms(steps)


def test_a_question_in_other_words_that_brings_nothing_new_is_a_loop() -> None:
    answer = "no results were found for this question on any page of the archive"
    queries = (
        "leap day joke removed from the dragon article before 2008",
        "dragon article joke removed on leap day before 2008",
        "joke removed from dragon article before 2008 leap day edit",
    )
    found = alarms(s for q in queries for s in done("web_search", {"query": q}, answer))
    assert {f.rule for f in found} == {Rule.REWORDED_CALL}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was the population of {0} in 2020", "the population of {0} in 2020 was about {1} million people"),
        ("status of order {1} of customer {2} in region {3}", "order {1} of customer {2} is on its way to region {3}"),
    ],
)
def test_the_same_question_about_another_thing_is_work(question: str, answer: str) -> None:
    things = [
        ("Paris", 21, 11, 4),
        ("Rome", 28, 12, 5),
        ("Berlin", 36, 13, 6),
        ("New York", 88, 14, 7),
        ("Oslo", 7, 15, 8),
    ]
    steps = [s for thing in things for s in done("ask", {"q": question.format(*thing)}, answer.format(*thing))]
    assert not alarms(steps)


def test_ticking_off_a_list_is_no_rewording() -> None:
    places = ["The Shack", "Olio Restaurant", "Sneekers Cafe", "Pizza Palace", "Old Waterfront", "Grey Gull"]
    steps = []
    for n in range(len(places)):
        rest = ", ".join(places[n:])
        steps += done("delegate", {"instruction": f"check which are open at 11pm: {rest}"}, f"{places[n]} is closed")
    assert not alarms(steps)


REFUSAL = (
    "I understand, but {0} the policy for basic economy flights is strict and I am unable to process a full refund "
    "for personal commitments because the insurance only covers health or weather reasons {1}"
)


def test_a_refusal_repeated_in_other_words_is_a_deadlock() -> None:
    turns = [("sadly", "as stated"), ("again", "I am afraid"), ("unfortunately", "in this case"), ("still", "sorry")]
    steps = []
    for first, last in turns:
        steps += [
            message("user", "is there really nothing you can do"),
            message("assistant", REFUSAL.format(first, last)),
        ]
    assert (1, 3, 5, 7) in [f.evidence for f in alarms(steps) if f.rule is Rule.REPEATED_MESSAGE]


@pytest.mark.parametrize(
    "template",
    [
        "Shall I go ahead and book the hotel in {0} for the two nights you asked for, breakfast and taxes included?",
        "My best offer for the bicycle in its present condition, lights and lock included, would be {1} euros today.",
    ],
)
def test_one_confirmation_per_item_and_a_falling_offer_are_no_deadlock(template: str) -> None:
    slots = [("Paris", 500), ("Rome", 450), ("Berlin", 430), ("Lisbon", 410), ("Vienna", 405)]
    steps = [
        s
        for place, price in slots
        for s in (message("assistant", template.format(place, price)), message("user", "ok"))
    ]
    assert not alarms(steps)


def test_a_round_of_three_parties_is_found_whatever_they_say() -> None:
    lines = [message("a", "over to b"), message("b", "c should know"), message("c", "ask a about it")]
    found = alarms(lines * 3)[0]
    assert (found.rule, found.evidence) == (Rule.CYCLE, tuple(range(9)))


def test_a_round_longer_than_the_window_of_periods_is_not_looked_for() -> None:
    lines = [message("a", f"{'x' * n} {'y' * n}") for n in range(2, 60)]
    assert not alarms(lines)


def test_chanting_inside_one_message_is_found() -> None:
    [found] = alarms([message("bot", "I will look into this now. " * 9)])
    assert (found.rule, found.evidence) == (Rule.CHANTING, (0,))


def test_a_long_list_is_not_chanting() -> None:
    assert not alarms([message("bot", "\n".join(f"- item number {n} of the long list" for n in range(40)))])


def test_asking_again_for_a_cut_answer_is_never_a_loop() -> None:
    cut = "Here are your events:\n1. [Event Link](https://calendar.example/event?eid=MmJ"
    assert not alarms(done("list", {"day": 1}, cut, truncated=True) * 8)


def test_thinking_aloud_in_between_does_not_hide_a_repeat() -> None:
    thought = [tool_call("think", {"thought": "hm"}), tool_result("think", "")]
    assert alarms(done("book", {"id": 1}, "ok") + thought + done("book", {"id": 1}, "ok"))
