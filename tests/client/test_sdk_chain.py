"""This side's check of a chain, against chains made by the server's own pure code."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lastword_client import Event, Head, Receipt
from lastword_client.bundle import Sealed
from lastword_client.chain import ChainCheck, check_chain

from conversations.domain.canonical import canonical_text
from conversations.domain.hash_chain import GENESIS, Header, commitment, header_hash

R = "5b0e4d6e-0000-4000-8000-000000000001"
Chain = tuple[list[Event], dict[int, Sealed]]


def chain(*payloads: dict[str, Any], types: dict[int, str] | None = None) -> Chain:
    """Events as the server shows and seals them."""
    events: list[Event] = []
    sealed: dict[int, Sealed] = {}
    before = GENESIS
    for seq, payload in enumerate(payloads, start=1):
        salt, text = bytes([seq] * 32), canonical_text(payload)
        shown = {
            "seq": seq,
            "type": (types or {}).get(seq, "intent"),
            "at": f"2026-01-01T00:00:{seq:02d}.000000Z",
            "actor": "key:1",
            "prev_hash": before,
            "payload": payload,
        }
        header = Header(R, seq, shown["type"], shown["at"], "key:1", commitment(salt, text), before).text()
        before = header_hash(header)
        events.append(Event.read(shown | {"hash": before}))
        sealed[seq] = Sealed(header, text, salt)
    return events, sealed


def six(word: str = "said") -> Chain:
    return chain(*({"intent": f"{word}_{number}"} for number in range(6)))


def check(
    events: list[Event], sealed: dict[int, Sealed], receipts: list[Receipt] | None = None, head: Head | None = None
) -> ChainCheck:
    last = head or Head(seq=events[-1].seq, hash=events[-1].hash)
    return check_chain(R, events, head=last, receipts=receipts or [], sealed=sealed)


def flawed_at(found: ChainCheck) -> int | None:
    return found.flaw.seq if found.flaw else None


def receipts_of(events: list[Event]) -> list[Receipt]:
    return [Receipt(R, event.seq, event.hash) for event in events]


def test_a_chain_of_the_server_is_found_whole() -> None:
    events, sealed = six()
    assert check(events, sealed, receipts_of(events)) == ChainCheck(events=6, rehashed=6, receipts=6, flaw=None)


def test_a_chain_read_while_it_grows_is_found_whole() -> None:
    events, sealed = six()
    assert check(events[:4], sealed).ok


@given(st.integers(1, 6), st.sampled_from(["type", "actor", "hash", "prev_hash", "at", "payload"]))
def test_any_field_shown_otherwise_is_found_where_it_is(place: int, name: str) -> None:
    events, sealed = six()
    other: Any = {"at": "2020-01-01T00:00:00.000000Z", "payload": {"intent": "forged"}}.get(name, "other")
    events[place - 1] = Event.read({**events[place - 1].raw, name: other})
    assert flawed_at(check(events, sealed)) == place


@given(st.integers(1, 6), st.data())
def test_any_changed_character_of_a_header_is_found(place: int, data: st.DataObject) -> None:
    events, sealed = six()
    text = sealed[place].header
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + ("x" if text[at] != "x" else "y") + text[at + 1 :]
    sealed[place] = replace(sealed[place], header=changed)
    assert flawed_at(check(events, sealed)) == place


@given(st.integers(1, 6))
def test_a_content_its_header_does_not_commit_to_is_found(place: int) -> None:
    events, sealed = six()
    events[place - 1] = Event.read({**events[place - 1].raw, "payload": {"intent": "forged"}})
    sealed[place] = replace(sealed[place], text=json.dumps({"intent": "forged"}))
    assert flawed_at(check(events, sealed)) == place


def test_an_announced_erasure_is_lawful() -> None:
    events, sealed = chain({"intent": "said"}, {"seq": 1, "basis": "request"}, types={2: "payload_erased"})
    events[0] = Event.read({**events[0].raw, "payload": None})
    sealed[1] = Sealed(sealed[1].header)
    assert check(events, sealed).ok


def test_a_content_gone_without_a_word_is_found() -> None:
    events, sealed = six()
    events[2] = Event.read({**events[2].raw, "payload": None})
    sealed[3] = Sealed(sealed[3].header)
    assert flawed_at(check(events, sealed)) == 3


@pytest.mark.parametrize("gone", [1, 3])
def test_a_missing_event_is_found(gone: int) -> None:
    events, sealed = six()
    del events[gone - 1]
    assert flawed_at(check(events, sealed)) == gone


def test_a_missing_header_is_no_proof() -> None:
    events, sealed = six()
    del sealed[2]
    found = check(events, sealed)
    assert flawed_at(found) == 2
    assert found.rehashed == 5


def test_a_head_that_is_not_the_end_is_found() -> None:
    events, sealed = six()
    assert flawed_at(check(events[:5], sealed, head=Head(seq=6, hash=events[5].hash))) == 6


def test_a_history_rewritten_without_a_flaw_is_convicted_by_a_receipt() -> None:
    kept = receipts_of(six()[0])
    events, sealed = six("rewritten")
    assert check(events, sealed).ok
    assert flawed_at(check(events, sealed, kept[2:3])) == 3


def test_a_tail_cut_off_is_convicted_by_a_receipt() -> None:
    events, sealed = six()
    kept = receipts_of(events)
    assert check(events[:5], sealed).ok
    assert flawed_at(check(events[:5], sealed, kept)) == 6
