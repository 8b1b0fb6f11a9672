"""What an erased payload leaves behind: settings and counts that name nobody, so that the fold still stands."""

from collections.abc import Mapping
from typing import Any

from conversations.domain import events as names
from conversations.domain import handoff, loops, threads, turns, workflow_steps
from conversations.domain.events import Recorded
from flows.engine.steps import without_words

TERMS = ("level", "channel", "driver", "max_depth", "timebox_hours", "continuation_of", "flow")
HANDOFF_FIGURES = ("handoff_id", "operator", "to", "outcome", "cause", "via", "closure_type")
CLOSURE_FIGURES = (
    "type",
    "fir_a_id",
    "closure_type",
    "closure_reason",
    "timestamp",
    "total_events",
    "conversation_duration_seconds",
    "outcome",
)


def kept(event: Recorded) -> dict[str, Any]:
    """The part of a payload that is no personal data and that columns are folded from."""
    told = event.content
    if event.type == names.CREATED:
        appointment = told.get("appointment")
        return {
            **{name: told.get(name) for name in TERMS},
            "initiator": {"id": told["initiator"]["id"]},
            "responder": {"id": told["responder"]["id"]},
            "appointment": appointment and {"start": appointment["start"], "end": appointment["end"]},
        }
    if event.type == names.CLOSURE:
        summary = told["conversation_summary"]
        return {
            **{name: told[name] for name in CLOSURE_FIGURES},
            "conversation_summary": {**summary, "intent_types": [], "humotica_trace": ""},
            "re_engagement_offer": None,
        }
    if event.type == names.RATED:
        return {"score": told["score"]}
    if event.type in turns.FLOW_EVENTS:
        steps = [without_words(step) for step in told.get("steps", ())]
        return {"steps": steps, **({"guards": fired} if (fired := fired_guards(told)) else {})}
    if event.type == turns.MIGRATED:
        return dict(told)
    if event.type in threads.EVENTS:
        return {name: value for name, value in told.items() if name not in threads.WORDS}
    if event.type == workflow_steps.TAKEN:
        return workflow_steps.figures_of(told)
    if event.type == loops.FOUND:
        return {name: value for name, value in told.items() if name != "detail"}
    if event.type in handoff.EVENTS:
        return {name: told[name] for name in HANDOFF_FIGURES if name in told}
    return {}


def fired_guards(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Which of the dialogue's guards refused: their names are ours, their reasons may quote."""
    return [{"name": note["name"], "fired": True} for note in told.get("guards", ()) if note.get("fired")]
