"""Work that looks like a loop and is none: every case comes from a false alarm somebody reported."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from guards.loops.detector import LoopDetector
from guards.loops.steps import Step, flow_turn, intent, message, response, tool_call, tool_result

ALARM = 0.8


def accused_of(steps: Iterable[Step]) -> list[str]:
    detector = LoopDetector()
    return [f"{f.rule}: {f.detail}" for step in steps for f in detector.observe(step) if f.confidence >= ALARM]


def done(operation: str, parameters: object, answer: str, **result: bool) -> list[Step]:
    return [tool_call(operation, parameters), tool_result(operation, answer, **result)]


def chat(*lines: str) -> list[Step]:
    """Turn and turn about, the person first."""
    return [message(("user", "assistant")[n % 2], line) for n, line in enumerate(lines)]


def batch_lookups() -> list[Step]:
    return [s for n in range(15) for s in done("get_order", {"order_id": f"#W{n}7"}, f"order {n} delivered on day {n}")]


def questions_about_one_city_after_another() -> list[Step]:
    cities = ["Lisbon", "Madrid", "Athens", "Vienna", "Prague", "Warsaw"]
    return [
        s
        for n, city in enumerate(cities)
        for s in done(
            "web_search", {"query": f"average rent of a flat in {city} in 2023"}, f"{city}: {900 + 37 * n} euros"
        )
    ]


def one_confirmation_per_item() -> list[Step]:
    bags = ["Reykjavik", "Helsinki", "Tallinn", "Riga", "Vilnius", "Minsk"]
    text = "I will now cancel the reservation to {} and refund the full amount to the original method. Shall I proceed?"
    return [s for bag in bags for s in (message("assistant", text.format(bag)), message("user", "yes"))]


def another_card_each_time() -> list[Step]:
    steps: list[Step] = []
    for card in ("gift_card_77", "credit_card_12", "paypal_99", "gift_card_31"):
        steps += [message("user", f"Then try {card}.")]
        steps += done("pay", {"method": card, "amount": 80}, "Error: not enough balance for this payment", error=True)
    return steps


def a_falling_ask() -> list[Step]:
    steps: list[Step] = []
    for ask, bid in ((500, 300), (470, 330), (450, 350), (430, 370), (415, 390), (405, 400)):
        steps += [
            message("seller", f"I could let the bicycle with its lights and lock go for {ask} euros, not a cent less."),
            message("buyer", f"That is more than I had in mind, my offer for it as it stands there is {bid} euros."),
        ]
    return steps


def polling_whose_answer_moves() -> list[Step]:
    return [s for n in range(9) for s in done("job_status", {"job": 4}, f'{{"state": "running", "done": {11 * n}}}')]


def paging_through_a_list() -> list[Step]:
    names = ["ash", "birch", "cedar", "elm", "fir", "holly", "larch", "maple", "oak", "pine", "rowan", "yew"]
    pages = [" ".join(f"{name}{n}" for name in names) for n in range(10)]
    return [
        s
        for n, page in enumerate(pages)
        for s in done("list_trees", {"filter": "all the trees in the northern park", "offset": 12 * n}, page)
    ]


def reruns_after_each_edit() -> list[Step]:
    steps: list[Step] = []
    for n, left in enumerate((9, 9, 7, 4, 4, 1, 0)):
        steps += done("edit_file", {"path": "pay.py", "line": 10 + n, "text": f"value = {n}"}, f"line {10 + n} changed")
        steps += done("run_tests", {"path": "tests"}, f"{left} failed, {40 - left} passed; first: test_{left}_{n}")
    return steps


def thanks_and_goodbye() -> list[Step]:
    return chat(
        "Hi", "Hello! How can I help?", "Ok", "Great.", "Thanks", "You are welcome.", "Ok", "Anything else?", "No",
        "Ok", "Thanks", "You are welcome.", "Bye", "Bye", "Thanks", "You are welcome.", "Ok", "Bye", "Bye", "Bye",
    )  # fmt: skip


def one_yes_after_another() -> list[Step]:
    asked = ["your name", "the street", "the town", "the date", "a window seat", "a meal", "an extra bag", "insurance"]
    return [s for what in asked for s in (message("assistant", f"And is {what} correct?"), message("user", "Yes."))]


def one_search_by_a_person_narrowed_down() -> list[Step]:
    steps: list[Step] = []
    for area, found in (("the centre", "Casa Luna"), ("the north", "Blue Door"), ("the harbour", "Mole 7")):
        steps += [message("user", f"Anything in {area}?")]
        steps += done("find_restaurant", {"area": area, "cuisine": "italian"}, f'[{{"name": "{found}"}}]')
        steps += [message("assistant", f"How about {found} in {area}?")]
    return steps


def a_flow_that_moves_on() -> list[Step]:
    nodes = [("ask_name", ["name"]), ("ask_date", ["date"]), ("ask_town", ["town"]), ("offer", ["offer"])]
    return [step for node, facts in nodes for step in flow_turn(node, "ASK", facts)]


def agents_that_agree_step_by_step() -> list[Step]:
    steps: list[Step] = []
    for hour in (9, 11, 14, 16, 17):
        steps += [intent("alice", "propose_meeting", {"hour": hour}), response("declined", f"busy at {hour}")]
    return steps


def a_cut_answer_asked_for_again() -> list[Step]:
    cut = '{"events": [{"title": "Walk the dog", "at": "7:0'
    return [s for _ in range(6) for s in done("list_events", {"days": 2}, cut, truncated=True)]


def a_table_in_one_message() -> list[Step]:
    return [message("bot", "\n".join(f"| row {n} | {n * n} | ready |" for n in range(60)))]


def a_work_list_that_shrinks() -> list[Step]:
    rest = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth"]
    steps: list[Step] = []
    while rest:
        ask = f"find the year of birth of each of these people: {', '.join(rest)}"
        steps += done("delegate", {"instruction": ask}, f"{rest[0]} done")
        rest = rest[1:]
    return steps


def look_ups_whose_arguments_are_json_text() -> list[Step]:
    flights = [("JFK", "SFO"), ("JFK", "LAX"), ("JFK", "SEA"), ("SFO", "JFK"), ("SEA", "JFK")]
    return [
        s
        for n, (start, end) in enumerate(flights)
        for s in done(
            "search_flights",
            json.dumps({"origin": start, "destination": end, "date": "2024-05-20"}),
            f"[{{'flight': 'HAT{n}41', 'from': '{start}', 'to': '{end}', 'price': {100 + 23 * n}}}]",
        )
    ]


def records_posted_as_messages() -> list[Step]:
    shared = {"type": "round_trip", "cabin": "economy", "insurance": "yes", "status": "available", "first_name": "Ann"}
    numbers = ("number", "origin", "via", "destination", "departure", "arrival", "gate", "seat", "bags", "price")
    return [message("registry", json.dumps({**shared, **{k: f"{k}{n}" for k in numbers}})) for n in range(12)]


def code_revised_after_each_review() -> list[Step]:
    reviews = ["It forgets the count.", "Gifts are free.", "Start from a Decimal.", "Where is the tax?", "All pass."]
    bodies = [
        "sum(line.price for line in lines)",
        "sum(line.price * line.count for line in lines)",
        "sum(line.price * line.count for line in lines if not line.gift)",
        "sum((line.price * line.count for line in lines if not line.gift), Decimal(0))",
        "sum((line.net(rate) * line.count for line in lines if not line.gift), Decimal(0))",
    ]
    said = "Here is the function with that mended:\n```\ndef invoice_total(lines, rate):\n    return round({}, 2)\n```"
    pairs = zip(bodies, reviews, strict=True)
    return [s for body, review in pairs for s in (message("coder", said.format(body)), message("reviewer", review))]


@pytest.mark.parametrize(
    "trace",
    [
        batch_lookups,
        look_ups_whose_arguments_are_json_text,
        records_posted_as_messages,
        code_revised_after_each_review,
        questions_about_one_city_after_another,
        one_confirmation_per_item,
        another_card_each_time,
        a_falling_ask,
        polling_whose_answer_moves,
        paging_through_a_list,
        reruns_after_each_edit,
        thanks_and_goodbye,
        one_yes_after_another,
        one_search_by_a_person_narrowed_down,
        a_flow_that_moves_on,
        agents_that_agree_step_by_step,
        a_cut_answer_asked_for_again,
        a_table_in_one_message,
        a_work_list_that_shrinks,
    ],
    ids=lambda trace: trace.__name__,
)
def test_work_is_not_accused(trace) -> None:
    assert accused_of(trace()) == []
