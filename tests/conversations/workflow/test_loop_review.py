"""The loop review over every driver: what it finds, what it does about it, and that it never costs a message."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from conversations.domain import loops
from conversations.domain.fold import restored
from conversations.models import Handoff, LoopFinding, LoopWatch, Relationship
from conversations.selectors.events import chain_of
from conversations.selectors.loops import watch_of
from conversations.services import loop_review
from conversations.services.erasure import erase_payloads
from conversations.services.projections import loop_watches
from guards.selectors.rollout import Feature
from guards.services.rollout import roll_out
from tests.cast import INITIATOR, RESPONDER, Actor, Opens, accepted

pytestmark = pytest.mark.django_db


def row(path: str) -> Relationship:
    return Relationship.objects.get(pk=path.rpartition("/")[2])


def types(path: str) -> list[str]:
    return [event.type for event in chain_of(row(path))]


def ask(router: Actor, path: str, **told: Any) -> dict[str, Any]:
    body = {"sender": INITIATOR, "intent": "send_report", "context": {"month": "May"}, **told}
    return accepted(router.post(f"{path}/intents", body), 201)


def answer(router: Actor, path: str, **told: Any) -> dict[str, Any]:
    body = {"sender": RESPONDER, "response": "refused", "context": {"why": "not ready"}, **told}
    return accepted(router.post(f"{path}/responses", body), 201)


def test_agents_that_repeat_themselves_are_found(router: Actor, opened: Opens) -> None:
    path = opened(max_depth=10)
    for _ in range(3):
        ask(router, path)
        answer(router, path)
    assert types(path)[-1] == "loop_found"
    finding = LoopFinding.objects.get()
    assert (finding.rule, finding.unit, finding.evidence) == ("repeated_call", "event", [2, 4, 6])
    assert row(path).loop_risk is not None


def test_the_second_nudge_reaches_the_agent_in_its_answer(router: Actor, opened: Opens) -> None:
    path = opened(max_depth=10)
    hints = []
    for _ in range(4):
        ask(router, path)
        hints.append(answer(router, path).get("loop_hint"))
    assert hints[:3] == [None, None, None]
    assert hints[3]["type"] == "loop_hint"
    assert hints[3]["level"] == "nudge"
    assert "other arguments" in hints[3]["hint"] or "already given" in hints[3]["hint"]


def test_bare_names_have_nothing_to_repeat(router: Actor, opened: Opens) -> None:
    """The depth of the conversation bounds them; the chain stays what the parties said."""
    path = opened()
    for _ in range(5):
        ask(router, path, context={})
    assert types(path) == ["fir_a_created", *["intent"] * 5]
    assert not LoopWatch.objects.exists()


def test_answers_that_change_are_progress(router: Actor, opened: Opens) -> None:
    path = opened(max_depth=10)
    for percent in (10, 40, 90):
        ask(router, path)
        answer(router, path, context={"done": percent})
    assert not LoopFinding.objects.exists()


def test_a_loop_asks_for_a_person_where_the_rollout_says_so(router: Actor, operator: Actor, opened: Opens) -> None:
    roll_out(feature=Feature.LOOP_HAND_OFF, share=100, author="tests")
    run = opened(driver="workflow")
    answers = [
        accepted(router.post(f"{run}/steps", {"step_id": str(n), "operation": "list", "response": "same"}))
        for n in range(4)
    ]
    assert [told["escalation"]["level"] for told in answers] == ["none", "warn", "nudge", "hand_off"]
    handoff = Handoff.objects.get()
    assert handoff.reason.startswith("Loop: ")
    assert LoopFinding.objects.get(pk=answers[3]["finding_id"]).handoff_id == handoff.pk
    assert row(run).owner_kind == "queue"


def test_a_person_who_gives_it_back_begins_a_new_episode(router: Actor, operator: Actor, opened: Opens) -> None:
    roll_out(feature=Feature.LOOP_HAND_OFF, share=100, author="tests")
    run = opened(driver="workflow")
    for n in range(4):
        accepted(router.post(f"{run}/steps", {"step_id": str(n), "operation": "list", "response": "same"}))
    handoff = Handoff.objects.get()
    accepted(operator.post(f"/handoffs/{handoff.pk}/claim", {"version": handoff.version}))
    accepted(operator.post(f"/handoffs/{handoff.pk}/return", {"note": "go on"}))
    assert (row(run).loop_risk, row(run).loop_finding) == (None, None)
    again = accepted(router.post(f"{run}/steps", {"step_id": "9", "operation": "list", "response": "same"}))
    assert again["escalation"]["level"] == "warn"


def test_a_loop_ends_the_conversation_where_the_rollout_says_so(router: Actor, opened: Opens) -> None:
    roll_out(feature=Feature.LOOP_CLOSE, share=100, author="tests")
    path = opened(max_depth=20)
    for _ in range(3):
        ask(router, path)
        answer(router, path)
    while row(path).conversation_state == "active":
        ask(router, path)
        if row(path).conversation_state == "active":
            answer(router, path)
    assert row(path).closure_type == "error"
    assert types(path)[-2:] == ["loop_found", "conversation_closure"]


def test_nothing_is_found_while_a_person_has_the_conversation(router: Actor, operator: Actor, opened: Opens) -> None:
    path = opened(max_depth=10)
    for _ in range(2):
        ask(router, path)
        answer(router, path)
    accepted(operator.post(f"{path}/takeover", {"reason": "mine"}), 201)
    for _ in range(3):
        answer(router, path)
    assert "loop_found" not in types(path)


def test_a_visitor_who_goes_round_in_circles_with_the_assistant_is_found(router: Actor, opened: Opens) -> None:
    path = opened(driver="assistant")
    words = "where is my parcel with the number twelve"
    for n in range(4):
        accepted(router.post(f"{path}/turns", {"message_id": str(n), "text": words}))
    assert LoopWatch.objects.get().length == 4
    assert LoopWatch.objects.get().peak > 0


def test_a_detector_that_fails_loses_neither_the_message_nor_the_answer(
    router: Actor, opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a rule stumbled")

    monkeypatch.setattr(loop_watches, "after", broken)
    path = opened()
    ask(router, path)
    assert types(path) == ["fir_a_created", "intent"]


def test_a_review_that_fails_undoes_itself_and_nothing_else(
    router: Actor, opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened(max_depth=10)
    for _ in range(2):
        ask(router, path)
        answer(router, path)
    ask(router, path)
    consequence = loop_review.consequence

    def half_done(*told: Any, **named: Any) -> Any:
        done = consequence(*told, **named)
        object.__setattr__(done, "closes", "no such closure")
        return done

    monkeypatch.setattr(loop_review, "consequence", half_done)
    answer(router, path)
    assert types(path)[-1] == "response_refused"
    assert row(path).loop_finding is None


def test_the_watch_is_the_fold_of_the_events(router: Actor, operator: Actor, opened: Opens) -> None:
    run, path = opened(driver="workflow"), opened(max_depth=10)
    for n in range(6):
        body = {"step_id": str(n), "operation": "read", "parameters": {"page": n % 2, "share": 0.5},
                "response": "word " * 900, "original_request": "read the pages"}  # fmt: skip
        accepted(router.post(f"{run}/steps", body))
    for _ in range(4):
        ask(router, path, humotica="please")
        answer(router, path)
    for relationship in Relationship.objects.all():
        stored, folded = watch_of(relationship), loops.fold(restored(chain_of(relationship)))
        assert stored.run.to_json() == json.loads(json.dumps(folded.run.to_json()))
        assert replace(stored, run=folded.run) == folded


def test_erased_words_leave_the_watch_too(router: Actor, opened: Opens) -> None:
    run = opened(driver="workflow")
    for n in range(3):
        body = {"step_id": str(n), "operation": "find_jansen", "response": "Jansen lives here"}
        accepted(router.post(f"{run}/steps", body))
    erase_payloads(relationship_id=row(run).pk, seqs=None, basis="asked for", by="tests", now=timezone.now())
    watch = LoopWatch.objects.get()
    assert "ansen" not in str(watch.run)
    assert watch.length == 3
    assert all("ansen" not in finding.detail for finding in LoopFinding.objects.all())
