"""A chain of events as a talk: who said what, and beside each line what made it so.

Names of keys and event types stay codes here; the screens put them into words.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from conversations.domain import events as chain
from conversations.domain import handoff, loops, threads, turns, workflow_steps
from conversations.domain.closure import is_signature
from conversations.domain.events import Recorded

Detail = tuple[str, str]


class Voice(StrEnum):
    """Whose line it is: what the screens colour, and say in words."""

    VISITOR = "visitor"
    BOT = "bot"
    OPERATOR = "operator"
    NOTE = "note"
    DRAFT = "draft"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the transcript. An event may leave two: what the visitor said, and the answer."""

    seq: int
    at: datetime
    type: str
    voice: Voice
    who: str = ""
    text: str = ""
    label: str = ""
    details: tuple[Detail, ...] = ()
    erased: bool = False
    signed: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cast:
    """The names behind the ledger's opaque actors."""

    initiator: str
    responder: str
    known: Mapping[str, str]

    def name_of(self, actor: str) -> str:
        return self.known.get(actor, actor)


def lines_of(events: Iterable[Recorded], cast: Cast) -> list[Line]:
    """The talk these events tell, in their order."""
    return [line for event in events for line in READERS.get(event.type, fallback(event))(event, cast)]


def fallback(event: Recorded) -> "Reader":
    return responded if event.is_response else plain


def line(event: Recorded, voice: Voice, **told: Any) -> Line:
    return Line(event.seq, event.at, event.type, voice, erased=event.payload is None, **told)


def plain(event: Recorded, cast: Cast) -> list[Line]:
    """An event that is nobody's speech: its words if it has any, the rest folded away."""
    told = dict(event.content)
    words = str(told.pop("text", None) or told.pop("reason", None) or "")
    who = str(told.pop("operator", None) or cast.name_of(event.actor))
    told.pop("handoff_id", None)
    return [line(event, Voice.SYSTEM, who=who, text=words, details=rest(told))]


def opened(event: Recorded, cast: Cast) -> list[Line]:
    told = event.content
    details = rest({name: told.get(name) for name in ("driver", "channel", "max_depth", "timebox_hours", "context")})
    return [line(event, Voice.SYSTEM, who=cast.name_of(event.actor), text=told.get("humotica", ""), details=details)]


def intended(event: Recorded, cast: Cast) -> list[Line]:
    return [exchange(event, Voice.BOT, cast.initiator, str(event.content.get("intent", "")))]


def responded(event: Recorded, cast: Cast) -> list[Line]:
    said = exchange(event, Voice.VISITOR, cast.responder, event.type.removeprefix(chain.RESPONSE_PREFIX))
    return [replace(said, signed=is_signature(event))]


def exchange(event: Recorded, voice: Voice, speaker: str, label: str) -> Line:
    told = event.content
    who = str(told.get("sender") or speaker)
    details = rest({"context": told.get("context")})
    return line(event, voice, who=who, label=label, text=told.get("humotica", ""), details=details)


def turn(event: Recorded, cast: Cast) -> list[Line]:
    """A visitor's words and, where there was one, the answer with everything that led to it."""
    told = event.content
    said, answered = described(told)
    lines = []
    if told.get("text") or said or event.payload is None:
        words = str(told.get("text", ""))
        lines.append(line(event, Voice.VISITOR, who=cast.responder, text=words, details=tuple(said)))
    reply = told.get("reply") or {}
    if reply or answered:
        lines.append(line(event, Voice.BOT, who=cast.initiator, text=spoken(reply), details=tuple(answered)))
    return lines


def spoken(reply: Mapping[str, Any]) -> str:
    """What the visitor saw: the text, the cards' titles, the buttons."""
    cards = [f"▫ {card['title']}" for card in reply.get("cards") or []]
    buttons = " ".join(f"[{button['title']}]" for button in reply.get("quick_replies") or [])
    return "\n".join(filter(None, [str(reply.get("text") or ""), *cards, buttons]))


def described(told: Mapping[str, Any]) -> tuple[list[Detail], list[Detail]]:
    """What the visitor's words brought, and what was decided on them."""
    said: list[Detail] = []
    decided: list[Detail] = []
    for step in told.get("steps") or []:
        if step["step"] == "outcome":
            said += [("fact", f"{name} = {text_of(fact['value'])}") for name, fact in step["facts"].items()]
            said += [("fact_ignored", name) for name in step["factsIgnored"]]
            said += [("state_set", name) for name in step["statesProduced"]]
        elif step["step"] == "decision" and step["nodeId"]:
            decided.append(("node", f"{step['nodeId']} · {step['mode']} · {', '.join(step['reasonCodes'])}"))
    decided += [("hop", f"{old} → {new} ({trigger})") for old, new, trigger in told.get("transitions") or []]
    for guard in told.get("guards") or []:
        fired = [("guard_fired", f"{guard['name']}: {guard['reason']}")]
        decided += fired if guard["fired"] else [("guard_passed", guard["name"])]
    if told.get("status"):
        decided.append(("status", str(told["status"])))
    if told.get("suppressed"):
        decided.append(("suppressed", str(told["suppressed"])))
    return said, decided


def facts_changed(event: Recorded, cast: Cast) -> list[Line]:
    details: list[Detail] = []
    for step in event.content.get("steps") or []:
        details += [("fact", f"{name} = {text_of(value)}") for name, value in step["setFacts"].items()]
        details += [("fact_removed", name) for name in step["removeFacts"]]
        details += [("node_skipped", node) for node in step["skip"]]
        details += [("tries_granted", f"{node}: {count}") for node, count in step["grant"].items()]
    who = str(event.content.get("operator") or cast.name_of(event.actor))
    return [line(event, Voice.SYSTEM, who=who, details=tuple(details))]


def person_asked(event: Recorded, cast: Cast) -> list[Line]:
    """Why and after what; with the figures by which a screen says both in its own language."""
    told = event.content
    text, details = str(told.get("reason") or ""), rest({"summary": told.get("summary")})
    figures = told.get("figures") or {}
    return [line(event, Voice.SYSTEM, who=cast.name_of(event.actor), text=text, details=details, figures=figures)]


def claimed(event: Recorded, cast: Cast) -> list[Line]:
    """Taken over: from the queue, from a colleague, or by answering in the channel itself."""
    told = event.content
    who = str(told.get("operator") or cast.name_of(event.actor))
    details = rest({"previous": told.get("previous")})
    return [line(event, Voice.SYSTEM, who=who, label=str(told.get("via") or ""), details=details)]


def released(event: Recorded, cast: Cast) -> list[Line]:
    """Back in the queue: given up, or lost by silence."""
    told = event.content
    who = str(told.get("operator") or cast.name_of(event.actor))
    label = "silent_too_long" if told.get("cause") == handoff.IDLE else ""
    return [line(event, Voice.SYSTEM, who=who, label=label)]


def operator_said(event: Recorded, cast: Cast) -> list[Line]:
    told = event.content
    voice = Voice.NOTE if event.type == handoff.NOTED else Voice.OPERATOR
    who = str(told.get("operator") or cast.name_of(event.actor))
    return [line(event, voice, who=who, text=str(told.get("text", "")))]


def thread_said(event: Recorded, cast: Cast) -> list[Line]:
    told = event.content
    voices = {threads.REPLIED: Voice.BOT, threads.DRAFTED: Voice.DRAFT}
    voice = Voice.BOT if told.get("persona") else Voice.VISITOR
    who = str(told.get("name") or told.get("persona") or told.get("sender") or cast.name_of(event.actor))
    text, details = str(told.get("text", "")), tuple(verdicts(told))
    return [line(event, voices.get(event.type, voice), who=who, text=text, details=details)]


def thread_decided(event: Recorded, cast: Cast) -> list[Line]:
    told = event.content
    who, text = str(told.get("persona") or ""), str(told.get("reason") or "")
    return [line(event, Voice.SYSTEM, who=who, text=text, label=str(told.get("code") or ""), details=verdicts(told))]


def verdicts(told: Mapping[str, Any]) -> tuple[Detail, ...]:
    return tuple(
        ("guard_passed", verdict["guard"])
        if verdict["allowed"]
        else ("guard_fired", f"{verdict['guard']}: {verdict['code']}")
        for verdict in told.get("verdicts") or []
    )


def step_taken(event: Recorded, cast: Cast) -> list[Line]:
    """An agent's step: the call, what came back, and whether it was told to go on."""
    told = event.content
    label, text = str(told.get("operation", "")), str(told.get("error") or told.get("response") or "")
    details = rest({name: told.get(name) for name in ("parameters", "next_action", "reason")})
    return [line(event, Voice.BOT, who=cast.initiator, label=label, text=text, details=details)]


def loop_found(event: Recorded, cast: Cast) -> list[Line]:
    told = dict(event.content)
    label, text = str(told.pop("rule", "")), str(told.pop("detail", "") or told.pop("hint", "") or "")
    told.pop("finding_id", None)
    return [line(event, Voice.SYSTEM, who=cast.name_of(event.actor), label=label, text=text, details=rest(told))]


def closed(event: Recorded, cast: Cast) -> list[Line]:
    told = event.content
    words = told.get("operator_summary") or told.get("closure_reason") or ""
    details = rest({"outcome": told.get("outcome"), **(told.get("conversation_summary") or {})})
    label = str(told.get("closure_type", ""))
    who = cast.name_of(event.actor)
    return [line(event, Voice.SYSTEM, who=who, label=label, text=str(words), details=details)]


def rated(event: Recorded, cast: Cast) -> list[Line]:
    told = event.content
    label = f"{told.get('score', '?')}/5"
    return [line(event, Voice.SYSTEM, who=cast.name_of(event.actor), label=label, text=str(told.get("comment", "")))]


def rest(told: Mapping[str, Any]) -> tuple[Detail, ...]:
    """Whatever else an event says, empty values left out."""
    return tuple((name, text_of(value)) for name, value in told.items() if value not in (None, "", [], {}))


def text_of(value: Any) -> str:
    """A value as a person reads it: words as they are, a list of words with commas, anything else as JSON."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


Reader = Callable[[Recorded, Cast], list[Line]]
READERS: dict[str, Reader] = {
    chain.CREATED: opened,
    chain.INTENT: intended,
    chain.CLOSURE: closed,
    chain.RATED: rated,
    turns.TURN: turn,
    turns.RESUMED: turn,
    turns.FACTS_CHANGED: facts_changed,
    handoff.REQUESTED: person_asked,
    handoff.REPLIED: operator_said,
    handoff.NOTED: operator_said,
    handoff.CLAIMED: claimed,
    handoff.RELEASED: released,
    workflow_steps.TAKEN: step_taken,
    **dict.fromkeys((loops.FOUND, loops.NUDGED), loop_found),
    **dict.fromkeys((threads.MESSAGE, threads.REPLIED, threads.DRAFTED), thread_said),
    **dict.fromkeys((threads.SCHEDULED, threads.SKIPPED, threads.DROPPED, threads.POSTPONED), thread_decided),
}
