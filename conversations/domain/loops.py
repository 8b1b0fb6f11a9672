"""What the loop review remembers of a conversation, folded from its events, and what it finds on the way.

Every driver's messages become the detector's steps here. A conversation's memory is bounded and JSON all through.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from conversations.domain import events as names
from conversations.domain import handoff, threads, turns, workflow_steps
from conversations.domain.events import Recorded
from guards.loops.content import as_text
from guards.loops.detector import LoopDetector
from guards.loops.findings import Finding, LoopType
from guards.loops.memory import DetectorState
from guards.loops.review import WorkflowRun, take
from guards.loops.steps import Step, intent, message, response, thread_message, tool_call, tool_result

FOUND = "loop_found"
NUDGED = "loop_nudged"
VISITOR = "visitor"


@dataclass(frozen=True, slots=True)
class Watch:
    """`run.alarms` and `rules` are of this episode: a person who gives the conversation back begins another."""

    run: WorkflowRun = field(default_factory=WorkflowRun)
    rules: tuple[str, ...] = ()
    length: int = 0
    peak: Decimal = Decimal(0)
    peak_rule: str = ""


def concerns(event: Recorded) -> bool:
    """Whether this event moves the watch. A bare intent or response, a name and nothing else, has nothing to repeat."""
    if event.type == names.INTENT or event.is_response:
        return bool(event.content.get("context") or event.content.get("humotica"))
    return event.type in WATCHED


def fold(events: Iterable[Recorded]) -> Watch:
    """The watch of a conversation, rebuilt from its events in order."""
    watch = Watch()
    for event in events:
        if concerns(event):
            watch, _ = after(watch, event)
    return watch


def after(watch: Watch, event: Recorded) -> tuple[Watch, list[Finding]]:
    """The watch once this event is in, and what the event gave rise to, surest first."""
    if event.type == FOUND:
        rules = tuple(dict.fromkeys((*watch.rules, event.content["rule"])))
        run = replace(watch.run, alarms=watch.run.alarms + 1)
        # the words that led here may be erased one day: the alarm still says how sure it was
        return replace(
            peaking(watch, Decimal(event.content["confidence"]), event.content["rule"]), run=run, rules=rules
        ), []
    if event.type == handoff.RETURNED:
        return replace(watch, run=replace(watch.run, alarms=0), rules=()), []
    if event.type == workflow_steps.TAKEN:
        told = event.content
        run, findings = take(watch.run, workflow_steps.step_of(told), told.get("original_request", ""))
    else:
        detector = LoopDetector(DetectorState.from_json(watch.run.detector))
        # Outside a workflow the second of two equal acts may be a retransmission: it takes three to tell.
        findings = [
            found
            for step in observed(event)
            for found in detector.observe(step, event.seq)
            if found.loop_type is not LoopType.REDUNDANT
        ]
        run = replace(watch.run, detector=detector.state.to_json())
    watch = replace(watch, run=run, length=watch.length + 1)
    surest = max(findings, key=lambda found: found.confidence, default=None)
    if surest is not None:
        watch = peaking(watch, confidence_of(surest), surest.rule.value)
    return watch, findings


def peaking(watch: Watch, confidence: Decimal, rule: str) -> Watch:
    """The watch with this confidence, where it is the highest so far."""
    return replace(watch, peak=confidence, peak_rule=rule) if confidence > watch.peak else watch


def confidence_of(found: Finding) -> Decimal:
    """A confidence as it is recorded: the ledger holds no floats."""
    return Decimal(f"{found.confidence:.2f}")


def observed(event: Recorded) -> list[Step]:
    """A message of any driver but the workflow's, as the detector reads it."""
    told = event.content
    if event.type == names.INTENT:
        return [intent(told.get("sender", ""), told.get("intent", ""), matter(told))]
    if event.is_response:
        return [response(event.type.removeprefix(names.RESPONSE_PREFIX), as_text(matter(told)))]
    if event.type in threads.SAID:
        speaker = told.get("persona") or told.get("sender") or ""
        return [thread_message(speaker, told["text"])] if told.get("text") else []
    return turn(told)


def matter(told: Mapping[str, Any]) -> dict[str, Any]:
    """What an intent or a response is about."""
    return {name: told[name] for name in ("context", "humotica") if told.get(name)}


def turn(told: Mapping[str, Any]) -> list[Step]:
    """A visitor's turn: their words, then what the flow or the assistant made of them."""
    words = told.get("text") or ""
    said = [message(VISITOR, words)] if words else []
    if "steps" in told:
        return said + [step for raw in told["steps"] for step in flow_step(raw)]
    reply = told.get("reply")
    if not reply or told.get("suppressed"):
        return said
    shown = " ".join([reply["text"], *(card["id"] for card in reply.get("cards", ()))])
    return [*said, tool_call("reply", {"asked": words}, actor="assistant"), tool_result("reply", shown)]


def flow_step(raw: Mapping[str, Any]) -> list[Step]:
    """A flow's decision is a call of its node, the reply to it the result."""
    if raw["step"] == "decision" and raw["nodeId"] and raw["mode"] != "SKIP":
        return [tool_call(raw["nodeId"], {"mode": raw["mode"]}, actor="flow")]
    if raw["step"] == "outcome" and raw["nodeId"]:
        brought = sorted([*raw["facts"], *raw["statesProduced"]])
        return [tool_result(raw["nodeId"], " ".join(brought) or "nothing produced")]
    return []


WATCHED = frozenset({workflow_steps.TAKEN, turns.TURN, turns.RESUMED, *threads.SAID, FOUND, handoff.RETURNED})
