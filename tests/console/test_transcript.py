"""A chain read as a talk, without a database."""

from datetime import UTC, datetime
from typing import Any

from conversations.domain.events import Recorded
from conversations.domain.transcript import Cast, Voice, lines_of

CAST = Cast("gym_bot", "jo", {"user:1": "anna"})


def lines(type_: str, payload: dict[str, Any] | None, *, actor: str = "system") -> list[Any]:
    event = Recorded(seq=7, type=type_, at=datetime(2025, 1, 1, tzinfo=UTC), actor=actor, payload=payload, hash="")
    return lines_of([event], CAST)


def test_a_turn_is_two_lines_with_what_led_to_the_second() -> None:
    steps = [
        {
            "step": "outcome",
            "facts": {"email": {"value": "jo@example.com"}},
            "factsIgnored": ["age"],
            "statesProduced": ["KNOWN"],
        },
        {"step": "decision", "nodeId": "contact-1", "mode": "RETRY", "reasonCodes": ["OBJECTIVE_UNMET"]},
    ]
    said, answered = lines("turn_taken", {"text": "hi", "steps": steps, "status": "OK", "reply": {"text": "Well?"}})
    assert (said.voice, said.who, said.text) == (Voice.VISITOR, "jo", "hi")
    assert said.details == (("fact", "email = jo@example.com"), ("fact_ignored", "age"), ("state_set", "KNOWN"))
    assert (answered.voice, answered.who, answered.text) == (Voice.BOT, "gym_bot", "Well?")
    assert answered.details == (("node", "contact-1 · RETRY · OBJECTIVE_UNMET"), ("status", "OK"))


def test_a_signature_is_marked_and_its_refusal_is_not() -> None:
    [signed], [refused] = lines("response_signed", {"sender": "jo"}), lines("response_not_signed", {"sender": "jo"})
    assert (signed.signed, refused.signed) == (True, False)


def test_a_takeover_says_how_it_came_about() -> None:
    [taken] = lines("handoff_claimed", {"operator": "anna", "via": "channel", "handoff_id": "1"})
    assert (taken.who, taken.label) == ("anna", "channel")


def test_a_dialogue_shows_its_hops_and_its_guards() -> None:
    payload = {
        "text": "more",
        "transitions": [["idle", "recommending", "search"]],
        "guards": [
            {"name": "timeout", "fired": False, "reason": ""},
            {"name": "repeat", "fired": True, "reason": "3x"},
        ],
        "reply": {"text": "Here:", "cards": [{"title": "Red dress"}], "quick_replies": [{"title": "More"}]},
    }
    _, answered = lines("turn_taken", payload)
    assert answered.text == "Here:\n▫ Red dress\n[More]"
    assert answered.details == (
        ("hop", "idle → recommending (search)"),
        ("guard_passed", "timeout"),
        ("guard_fired", "repeat: 3x"),
    )


def test_the_opening_turn_has_only_an_answer() -> None:
    [answered] = lines("turn_taken", {"text": "", "steps": [], "reply": {"text": "Welcome"}})
    assert answered.voice == Voice.BOT


def test_a_person_speaks_under_their_name_and_a_note_is_no_speech() -> None:
    assert lines("operator_replied", {"operator": "anna", "text": "Hello"})[0].voice == Voice.OPERATOR
    [note] = lines("operator_noted", {"operator": "anna", "text": "Careful"})
    assert (note.voice, note.who) == (Voice.NOTE, "anna")


def test_an_answer_that_came_too_late_is_a_draft() -> None:
    told = {"persona": "mia", "text": "Try this", "verdicts": [{"guard": "owner", "allowed": False, "code": "owned"}]}
    [draft] = lines("persona_drafted", told)
    assert (draft.voice, draft.who, draft.text) == (Voice.DRAFT, "mia", "Try this")
    assert draft.details == (("guard_fired", "owner: owned"),)


def test_an_act_names_the_person_behind_the_ledgers_name() -> None:
    [closing] = lines("conversation_closure", {"closure_type": "completed", "closure_reason": "Done"}, actor="user:1")
    assert (closing.who, closing.label, closing.text) == ("anna", "completed", "Done")


def test_erased_words_stay_gone() -> None:
    [erased] = lines("turn_taken", None)
    assert erased.erased
    assert erased.text == ""


def test_an_event_nobody_wrote_a_reader_for_is_still_shown() -> None:
    [unknown] = lines("something_new", {"reason": "because", "figures": {"a": 1}, "nothing": None})
    assert (unknown.voice, unknown.text, unknown.details) == (Voice.SYSTEM, "because", (("figures", '{"a": 1}'),))
