"""The names of what happens in a driven conversation."""

from typing import Any

TURN = "turn_taken"
RESUMED = "flow_resumed"
FACTS_CHANGED = "facts_changed"
MIGRATED = "flow_migrated"

# Events that carry engine steps; folding the steps gives the runtime state.
FLOW_EVENTS = (TURN, RESUMED, FACTS_CHANGED)

OWNED_BY_HUMAN = "owned_by_human"
# The flow's part of a turn's answer where no flow decided anything.
SILENT: dict[str, Any] = {
    "decisions": [],
    "factsProduced": [],
    "factsIgnored": [],
    "statesProduced": [],
    "gatesLost": [],
    "why_not": {},
}
WAITING_NOTICE = "A colleague will be with you shortly."
