"""Receipts are kept from every answer that carries one, refusals too."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from lastword_client import ConversationEndedError, Receipt, ReceiptBook

from tests.client.wire import CLOSURE, RELATIONSHIP, SENT, Wire, answer, problem, result_of


async def test_an_accepted_intent_leaves_a_receipt(wire: Wire) -> None:
    client = wire.client(answer(SENT, 201))
    await result_of(client.send_intent("r1", "advice"))
    assert list(client.receipts) == [Receipt("r1", 2, "h2")]


async def test_a_follow_up_leaves_a_receipt_under_its_own_id(wire: Wire) -> None:
    client = wire.client(answer(RELATIONSHIP | {"id": "r2", "head": {"seq": 2, "hash": "x"}}, 201))
    await result_of(client.create_followup_conversation("r1"))
    assert list(client.receipts) == [Receipt("r2", 2, "x")]


async def test_closing_leaves_a_receipt(wire: Wire) -> None:
    client = wire.client(answer(CLOSURE))
    await result_of(client.close_conversation("r1", "completed"))
    assert list(client.receipts) == [Receipt("r1", 7, "h7")]


async def test_a_refusal_that_closed_the_conversation_leaves_a_receipt(wire: Wire) -> None:
    client = wire.client(problem(409, "max_depth_exceeded", closure_event=CLOSURE))
    with pytest.raises(ConversationEndedError):
        await result_of(client.send_intent("r1", "advice"))
    assert list(client.receipts) == [Receipt("r1", 7, "h7")]


async def test_a_given_book_is_written_to_even_while_it_is_empty(wire: Wire) -> None:
    book = ReceiptBook()
    await result_of(wire.client(answer(SENT, 201), receipts=book).send_intent("r1", "advice"))
    assert len(book) == 1


def test_receipts_survive_as_lines_of_json() -> None:
    book = ReceiptBook([Receipt("r2", 1, "b"), Receipt("r1", 2, "a"), Receipt("r1", 2, "a")])
    lines = book.to_jsonl()
    assert [json.loads(line) for line in lines.splitlines()] == [
        {"relationship": "r1", "seq": 2, "hash": "a"},
        {"relationship": "r2", "seq": 1, "hash": "b"},
    ]
    assert list(ReceiptBook.from_jsonl([*lines.splitlines(), ""])) == list(book)


def test_two_hashes_for_one_event_are_both_kept() -> None:
    book = ReceiptBook([Receipt("r1", 2, "a")])
    book.keep([Receipt("r1", 2, "b")])
    assert [receipt.hash for receipt in book.of("r1")] == ["a", "b"]


def test_forgetting_one_relationship_leaves_the_others() -> None:
    book = ReceiptBook([Receipt("r1", 1, "a"), Receipt("r2", 1, "b")])
    book.forget("r1")
    assert list(book) == [Receipt("r2", 1, "b")]


def test_threads_may_keep_and_read_at_once() -> None:
    book = ReceiptBook()

    def work(thread: int) -> None:
        for seq in range(200):
            book.keep([Receipt(f"r{thread % 3}", thread * 1000 + seq, "x")])
            book.of("r0")
            book.to_jsonl() if seq % 50 == 0 else len(book)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(book) == 8 * 200
