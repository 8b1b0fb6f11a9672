"""Seed 001's example execution trace, corrected by F16: a date alone leaves BOOKING open."""

from tests.flows.engine.support import Talk

FITNESS = {
    "name": "fitness",
    "primaryGoal": {"type": "GATE", "gate": "BOOKING"},
    "gateDefinitions": {
        "CONTACT": {"satisfiedBy": {"metricsAny": ["contact_email", "contact_phone"]}},
        "BOOKING": {"satisfiedBy": {"metricsAll": ["booking_date", "booking_type"]}},
    },
    "factAliases": {"email": "contact_email", "phone": "contact_phone"},
    "nodes": [
        {"id": "welcome-1", "importance": "high", "satisfies": {"states": ["WELCOME_SHOWN"]},
         "runPolicy": {"maxExecutions": 1}, "prompts": ["Welcome!"]},
        {"id": "reflect-1", "importance": "high", "requiresStates": ["WELCOME_SHOWN"],
         "satisfies": {"states": ["REFLECTION_COMPLETE"]}, "runPolicy": {"maxExecutions": 1}},
        {"id": "goal-gap-1", "requiresStates": ["REFLECTION_COMPLETE"],
         "produces": ["goal_target", "goal_baseline", "goal_delta", "goal_category"],
         "satisfies": {"states": ["GOAL_GAP_CAPTURED"]}, "runPolicy": {"maxExecutions": 2}},
        {"id": "contact-1", "requiresStates": ["GOAL_GAP_CAPTURED"], "produces": ["email", "phone"],
         "satisfies": {"gates": ["CONTACT"]}},
        {"id": "booking-1", "requires": ["CONTACT"], "produces": ["booking_date", "booking_type"],
         "satisfies": {"gates": ["BOOKING"]}},
    ],
}  # fmt: skip


def test_f16_the_seeds_trace_with_booking_left_open_at_turn_six():
    talk = Talk(FITNESS)
    assert talk.say() == ["welcome-1:EXECUTE", "reflect-1:EXECUTE", "goal-gap-1:EXECUTE"]
    assert talk.state.states == {"WELCOME_SHOWN", "REFLECTION_COMPLETE"}

    gap = {"goal_target": 300, "goal_baseline": 225, "goal_delta": 75, "goal_category": "strength"}
    assert talk.say("I want to bench press 300 lbs, currently at 225 lbs", **gap) == ["contact-1:EXECUTE"]
    assert "GOAL_GAP_CAPTURED" in talk.state.states

    assert talk.say("Umm, not ready to share that") == ["contact-1:RETRY"]
    assert talk.answer.gates_satisfied == ()
    assert (talk.state.attempts["contact-1"], talk.state.executions["contact-1"]) == (2, 1)

    assert talk.say("Ok, john@example.com", email="john@example.com") == ["booking-1:EXECUTE"]
    assert talk.answer.facts_produced == ("contact_email",)
    assert talk.answer.gates_satisfied == ("CONTACT",)
    assert talk.state.facts["contact_email"].turn_index == 5

    assert talk.say("Schedule me for next Tuesday", booking_date="2026-01-20") == ["booking-1:RETRY"]
    assert talk.answer.gates_satisfied == ("CONTACT",)
    assert talk.state.turn_index == 7

    assert talk.say("Yoga", booking_type="yoga") == []
    assert talk.status == "COMPLETE"
    assert [(entry.turn_index, entry.node_id, entry.mode) for entry in talk.state.turn_log] == [
        (1, "welcome-1", "EXECUTE"),
        (2, "reflect-1", "EXECUTE"),
        (3, "goal-gap-1", "EXECUTE"),
        (4, "contact-1", "EXECUTE"),
        (5, "contact-1", "RETRY"),
        (6, "booking-1", "EXECUTE"),
        (7, "booking-1", "RETRY"),
    ]
    assert talk.state.turn_log[4].user_input == "Ok, john@example.com"
    assert [entry.llm_response for entry in talk.state.turn_log[:2]] == ["Welcome!", None]
