"""A visitor's turns in a flow's conversation, and when the bot keeps quiet."""

import pytest
from django.utils import timezone

from conversations.domain.turns import WAITING_NOTICE
from conversations.models import Event, FlowRun, Relationship, TurnLog
from conversations.services.erasure import erase_payloads
from flows.models import FlowVersion
from flows.selectors.compiled import compiled_version
from tests.cast import Actor, Clock, Opens, accepted, refused
from tests.flows.api.support import SLUG, Visitor, contact_flow, heard, published, saved
from tests.flows.engine.support import asker
from tests.flows.engine.test_seed_trace import FITNESS
from tests.invariants import assert_history_holds, snapshot


def standing(router: Actor, visitor: Visitor) -> dict:
    return accepted(router.get(visitor.path))


def test_an_empty_first_turn_opens_the_flow(visitor: Visitor) -> None:
    answer = visitor.say()
    assert heard(answer) == [("hello-1", "EXECUTE"), ("mail-1", "EXECUTE")]
    assert [decision["turnIndex"] for decision in answer["decisions"]] == [1, 2]
    assert answer["reply"]["text"] == "Hello.\n\nYour email address?"
    expected = ("m1", False, "OK", None, None)
    assert tuple(answer[key] for key in ("message_id", "duplicate", "status", "suppressed", "handoff_id")) == expected
    assert answer["why_not"]["hello-1"] == [{"rule": "EXEC_CAP", "missing": []}]


def test_the_text_answers_the_open_question_and_the_goal_closes_as_completed(visitor: Visitor, router: Actor) -> None:
    visitor.say()
    answer = visitor.say("write to Ann@Example.com please")
    assert (answer["status"], answer["factsProduced"], answer["gatesSatisfied"]) == (
        "COMPLETE", ["contact_email"], ["CONTACT"],
    )  # fmt: skip
    ended = standing(router, visitor)
    assert (ended["conversation_state"], ended["closure_event"]["closure_type"]) == ("closed", "completed")
    told = visitor.runtime()["factValues"]["contact_email"]
    assert (told["source"], told["turnIndex"], told["nodeId"]) == ("visitor", 2, "mail-1")
    assert told["words"].lower() == "ann@example.com"
    assert_history_holds()


def test_facts_of_the_caller_replace_reading_and_aliases_are_followed(visitor: Visitor) -> None:
    visitor.say()
    assert visitor.say("a@example.com", facts={})["factsProduced"] == []
    answer = visitor.say("", facts={"email": "b@example.com", "shoe_size": 44})
    assert (answer["factsProduced"], answer["factsIgnored"]) == (["contact_email"], ["shoe_size"])


def test_the_same_message_id_is_decided_once(visitor: Visitor, router: Actor) -> None:
    visitor.say()
    first = visitor.say("no")
    before = snapshot()
    again = accepted(router.post(f"{visitor.path}/turns", {"message_id": "m2", "text": "no"}))
    assert again == {**first, "duplicate": True}
    refused(
        router.post(f"{visitor.path}/turns", {"message_id": "m2", "text": "something else"}),
        422,
        "idempotency_mismatch",
    )
    assert snapshot() == before


def test_a_repeated_id_gets_its_answer_even_after_the_end(visitor: Visitor, router: Actor) -> None:
    visitor.say()
    last = visitor.say("a@example.com")
    again = accepted(router.post(f"{visitor.path}/turns", {"message_id": "m2", "text": "a@example.com"}))
    assert again == {**last, "duplicate": True}


def test_a_closed_conversation_takes_no_turn(visitor: Visitor, router: Actor) -> None:
    visitor.say()
    visitor.say("a@example.com")
    before = snapshot()
    problem = refused(
        router.post(f"{visitor.path}/turns", {"message_id": "late", "text": "hi"}), 409, "conversation_closed"
    )
    assert problem["closure_event"]["closure_type"] == "completed"
    assert snapshot() == before


def test_an_expired_conversation_is_closed_by_the_turn_that_finds_it(
    clock: Clock, visitor: Visitor, router: Actor
) -> None:
    visitor.say()
    clock.advance(hours=25)
    refused(router.post(f"{visitor.path}/turns", {"message_id": "late", "text": "hi"}), 409, "conversation_expired")
    assert standing(router, visitor)["closure_event"]["closure_type"] == "expired"


def test_an_unknown_conversation_is_not_found(router: Actor) -> None:
    nowhere = "/relationships/00000000-0000-0000-0000-000000000000"
    refused(router.post(f"{nowhere}/turns", {"message_id": "m", "text": ""}), 404, "not_found")
    refused(router.get(f"{nowhere}/runtime"), 404, "not_found")


@pytest.mark.parametrize(
    "body", [{}, {"message_id": ""}, {"message_id": 1}, {"message_id": "m", "facts": []}, {"message_id": "m", "x": 1}]
)
def test_a_turn_that_breaks_the_contract_changes_nothing(visitor: Visitor, router: Actor, body: dict) -> None:
    visitor.say()
    before = snapshot()
    refused(router.post(f"{visitor.path}/turns", body), 422, "invalid")
    assert snapshot() == before


def test_a_used_up_question_asks_for_a_person_and_the_bot_keeps_quiet(visitor: Visitor, operator: Actor) -> None:
    visitor.say()
    visitor.say("no")
    answer = visitor.say("no!")
    assert (answer["status"], heard(answer)) == ("HANDOFF", [("mail-1", "HANDOFF")])
    assert answer["reply"] == {"text": WAITING_NOTICE, "quick_replies": [], "cards": []}
    waiting = accepted(operator.get(f"/handoffs/{answer['handoff_id']}"))
    assert (waiting["status"], waiting["reason"]) == ("waiting", answer["decisions"][0]["reason"])
    quiet = visitor.say("a@example.com")
    assert (quiet["suppressed"], quiet["decisions"], quiet["status"]) == ("owned_by_human", [], "HANDOFF")
    assert quiet["reply"]["text"].startswith(WAITING_NOTICE)
    assert quiet["handoff_id"] == answer["handoff_id"]
    assert visitor.runtime()["facts"] == []
    assert_history_holds()


def test_words_to_an_operator_are_kept_and_not_answered_by_the_bot(
    visitor: Visitor, operator: Actor, router: Actor
) -> None:
    visitor.say()
    accepted(operator.post(f"{visitor.path}/takeover", {"reason": "my friend"}), 201)
    before = visitor.runtime()
    quiet = visitor.say("a@example.com")
    assert (quiet["suppressed"], quiet["reply"]) == ("owned_by_human", None)
    assert visitor.runtime() == before
    assert Event.objects.filter(type="turn_taken").count() == 2


def test_a_deadlock_asks_for_a_person_with_every_reason(editor: Actor, router: Actor, opened: Opens) -> None:
    document = contact_flow()
    document["nodes"][1]["retryPolicy"] = {"maxAttempts": 1, "onExhaust": "SKIP"}
    document["nodes"].append({"id": "bye-1", "requires": ["CONTACT"], "runPolicy": {"maxExecutions": 1}})
    published(editor, document)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    answer = visitor.say("no")
    assert answer["status"] == "DEADLOCK"
    assert {node: [rule["rule"] for rule in rules] for node, rules in answer["why_not"].items()} == {
        "hello-1": ["EXEC_CAP"], "mail-1": ["SKIPPED"], "bye-1": ["MISSING_GATES"],
    }  # fmt: skip
    waiting = accepted(router.get(f"/handoffs/{answer['handoff_id']}"))
    assert "hello-1: EXEC_CAP" in waiting["reason"]
    assert "mail-1: SKIPPED" in waiting["reason"]
    assert "bye-1: MISSING_GATES (CONTACT)" in waiting["reason"]


def test_after_the_goal_important_nodes_still_run_and_then_it_closes(
    editor: Actor, router: Actor, opened: Opens
) -> None:
    document = contact_flow(postGoalPolicy="CONTINUE_HIGH")
    rate = asker("rate-1", ["rating"], ["RATED"], importance="high", requires=["CONTACT"], prompts=["1 to 5?"])
    document["nodes"].append(rate)
    document["gateDefinitions"]["RATED"] = {"satisfiedBy": {"metricsAll": ["rating"]}}
    published(editor, document)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    after = visitor.say("a@example.com")
    assert (after["status"], heard(after), after["reply"]["text"]) == ("POST_GOAL", [("rate-1", "EXECUTE")], "1 to 5?")
    assert standing(router, visitor)["conversation_state"] == "active"
    assert visitor.say("no thanks")["status"] == "COMPLETE"
    assert standing(router, visitor)["closure_event"]["closure_type"] == "completed"


def test_the_runtime_of_a_conversation_nobody_spoke_in_is_empty(visitor: Visitor) -> None:
    runtime = visitor.runtime()
    assert (runtime["facts"], runtime["turnLog"], runtime["turnIndex"]) == ([], [], 0)


def test_the_turn_log_keeps_every_line_with_what_was_said(visitor: Visitor) -> None:
    visitor.say()
    visitor.say("not now")
    lines = visitor.runtime()["turnLog"]
    assert [(line["nodeId"], line["mode"], line["userInput"], line["llmResponse"]) for line in lines] == [
        ("hello-1", "EXECUTE", None, "Hello."),
        ("mail-1", "EXECUTE", "not now", "Your email address?"),
        ("mail-1", "RETRY", None, "It looks like name@host."),
    ]


def test_a_running_conversation_stays_on_its_version(editor: Actor, visitor: Visitor, router: Actor) -> None:
    visitor.say()
    changed = contact_flow()
    changed["nodes"][1]["prompts"] = ["Changed?"]
    saved(editor, changed)
    accepted(editor.post(f"/flows/{SLUG}/publish"), 201)
    assert visitor.say("no")["reply"]["text"] == "It looks like name@host."
    assert standing(router, visitor)["flow"]["version"] == 1


def test_a_conversation_needs_a_published_flow(editor: Actor, router: Actor) -> None:
    accepted(editor.post("/flows", {"slug": "draft-only", "definition": contact_flow()}), 201)
    terms = {"initiator": "a", "responder": "b", "driver": "flow"}
    before = snapshot()
    for flow in ({"flow": "draft-only"}, {"flow": "nobody"}, {}):
        refused(router.post("/relationships", {**terms, **flow}), 422, "invalid")
    assert snapshot() == before


def test_quick_replies_offer_the_choices_asked_for(editor: Actor, router: Actor, opened: Opens) -> None:
    document = contact_flow(facts={"contact_email": {"type": "choice", "choices": ["mail", "phone"]}})
    published(editor, document)
    answer = Visitor(router, opened(driver="flow", flow=SLUG)).say()
    assert [each["title"] for each in answer["reply"]["quick_replies"]] == ["mail", "phone"]


def test_the_loop_guard_follows_the_policy_in_force(editor: Actor, router: Actor, opened: Opens) -> None:
    document = contact_flow()
    document["nodes"] = [asker("mail-1", ["email"], ["CONTACT"], retryPolicy={"maxAttempts": 50})]
    published(editor, document)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    modes = [visitor.say(facts={})["decisions"][0] for _ in range(10)]
    assert (modes[-1]["mode"], modes[-1]["reasonCodes"]) == ("HANDOFF", ["LOOP_GUARD"])


def test_the_seeds_trace_over_the_wire_by_words_alone_where_words_will_do(
    editor: Actor, router: Actor, opened: Opens, clock: Clock
) -> None:
    published(editor, FITNESS)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    gap = {"goal_target": 300, "goal_baseline": 225, "goal_delta": 75, "goal_category": "strength"}
    said = [
        visitor.say(),
        visitor.say("I want to bench press 300 lbs, currently at 225 lbs", facts=gap),
        visitor.say("Umm, not ready to share that"),
        visitor.say("Ok, john@example.com"),
        visitor.say("Schedule me for next Tuesday"),
    ]
    assert [heard(answer) for answer in said] == [
        [("welcome-1", "EXECUTE"), ("reflect-1", "EXECUTE"), ("goal-gap-1", "EXECUTE")],
        [("contact-1", "EXECUTE")],
        [("contact-1", "RETRY")],
        [("booking-1", "EXECUTE")],
        [("booking-1", "RETRY")],
    ]
    assert said[3]["factsProduced"] == ["contact_email"]
    assert (said[4]["factsProduced"], said[4]["gatesSatisfied"]) == (["booking_date"], ["CONTACT"])
    runtime = visitor.runtime()
    assert runtime["factValues"]["booking_date"]["words"] == "next Tuesday"
    assert (runtime["attemptsByNode"]["contact-1"], runtime["executionsByNode"]["contact-1"]) == (2, 1)
    assert visitor.say("yoga", facts={"booking_type": "yoga"})["status"] == "COMPLETE"
    assert_history_holds()


def test_a_version_that_was_changed_behind_our_back_decides_nothing(visitor: Visitor, router: Actor) -> None:
    compiled_version.cache_clear()
    FlowVersion.objects.update(definition={**contact_flow(), "name": "changed"})
    before = snapshot()
    refused(router.post(f"{visitor.path}/turns", {"message_id": "m", "text": ""}), 409, "flow_changed")
    assert snapshot() == before


def test_erasing_what_was_said_leaves_the_decisions_and_no_word(visitor: Visitor, router: Actor) -> None:
    visitor.say()
    visitor.say("call me Zebedee, not by mail")
    visitor.say("well then: zebedee@example.com")
    before = visitor.runtime()
    relationship = Relationship.objects.get()
    erase_payloads(relationship_id=relationship.pk, seqs=None, basis="GDPR art. 17", by="user:7", now=timezone.now())
    kept = [*FlowRun.objects.values(), *TurnLog.objects.values()]
    assert "ebedee" not in str(kept)
    after = visitor.runtime()
    assert [(line["nodeId"], line["mode"]) for line in after["turnLog"]] == [
        (line["nodeId"], line["mode"]) for line in before["turnLog"]
    ]
    assert (after["facts"], after["gatesSatisfied"]) == (before["facts"], before["gatesSatisfied"])
    assert after["factValues"]["contact_email"]["value"] is None
    assert_history_holds()
