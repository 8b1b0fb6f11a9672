"""A flow drives the conversation (seed 001): each message goes through the engine, inside the one transaction."""

from datetime import datetime
from typing import Any

from conversations.domain.closure import ClosureType
from conversations.domain.errors import ConversationError, InvalidTermsError
from conversations.domain.handoff import NobodyToAnswerError
from conversations.domain.messages import Inbound
from conversations.domain.relationship import OwnerKind, check_open
from conversations.domain.turns import OWNED_BY_HUMAN, RESUMED, SILENT, TURN, WAITING_NOTICE
from conversations.drivers.base import Decided
from conversations.drivers.waiting import with_position
from conversations.models import Relationship
from conversations.selectors.flow_runs import flow_of, state_of
from conversations.selectors.handoffs import open_handoff
from conversations.services.event_store import NewEvent
from conversations.services.handoff_requests import requested
from flows.engine.runner import Advanced, UnknownNode, advance, resume
from flows.engine.runtime import OpenPrompt, RuntimeState, Status
from flows.engine.steps import OperatorAct
from guards.selectors.policy import policy_in_force

STUCK = (Status.HANDOFF, Status.DEADLOCK)

# What a message was read for, where it is no question: nothing was searched for, or it was not for us to search.
WHATEVER, NOTHING = "whatever", "nothing"


class QuestionMovedError(ConversationError):
    """Words were read for a question that has been answered since; whoever read them reads them again."""

    code = "question_moved"
    title = "The flow has gone on meanwhile"


class FlowDriver:
    def check(self, relationship: Relationship, message: Inbound, *, now: datetime) -> None:
        check_open(relationship.standing, now=now)

    def decide(self, relationship: Relationship, message: Inbound, *, now: datetime) -> Decided:
        if relationship.owner_kind != OwnerKind.BOT:
            return recorded_only(relationship, message)
        state = state_of(relationship)
        if message.content["read_for"] not in (WHATEVER, asked_in(state)):
            raise QuestionMovedError("Another message was answered while this one was read.")
        moved = advance(
            flow_of(relationship),
            state,
            message.content["reply"],
            consecutive_cap=policy_in_force().document.flow.consecutive_cap,
        )
        told = {"message_id": message.content["message_id"], "text": message.content["reply"].text}
        return carried_on(relationship, moved, type_=TURN, actor=relationship.responder.actor, told=told)

    def resume(self, relationship: Relationship, given: Any, *, now: datetime) -> Decided:
        """A person gives the conversation back (F9); refused when the flow would only ask for a person again."""
        act = OperatorAct(dict(given.facts), (), tuple(given.skip), dict(given.grant), resumes=True)
        try:
            moved = resume(
                flow_of(relationship),
                state_of(relationship) or RuntimeState(),
                act,
                consecutive_cap=policy_in_force().document.flow.consecutive_cap,
            )
        except UnknownNode as problem:
            raise InvalidTermsError(field="skip, grant", code="unknown_node", message=str(problem)) from problem
        if moved.answer.status in STUCK:
            reason = stuck_because(moved)
            because = stuck_figures(moved)
            raise NobodyToAnswerError(reason, reason=reason, why_not=moved.answer.why_not, because=because)
        return carried_on(relationship, moved, type_=RESUMED, actor="system", told={})


def asked_in(state: RuntimeState | None) -> OpenPrompt | None:
    """The question that is open; which facts a reply is searched for depends on it alone."""
    return state.open_prompt if state else None


def recorded_only(relationship: Relationship, message: Inbound) -> Decided:
    """A person has the conversation: what the visitor says is kept, and the bot keeps quiet."""
    waiting = relationship.owner_kind == OwnerKind.QUEUE
    handoff = open_handoff(relationship)
    reply = with_position(relationship, handoff, spoken(WAITING_NOTICE)) if waiting else None
    text = message.content["reply"].text
    state = state_of(relationship) or RuntimeState()
    payload = {"message_id": message.content["message_id"], "text": text, "reply": reply, "suppressed": OWNED_BY_HUMAN}
    answer = {
        **SILENT,
        "status": state.status.value,
        "gatesSatisfied": sorted(state.gates_satisfied),
        "suppressed": OWNED_BY_HUMAN,
        "reply": reply,
        "handoff_id": str(handoff.pk) if handoff else None,
    }
    return Decided([NewEvent(TURN, relationship.responder.actor, payload)], answer)


def carried_on(relationship: Relationship, moved: Advanced, *, type_: str, actor: str, told: dict[str, Any]) -> Decided:
    """What the engine's decision means for the conversation: a turn, perhaps a handoff, perhaps the end."""
    answer = {**moved.answer.to_json(), "suppressed": None, "handoff_id": None}
    if moved.answer.status in STUCK:
        answer["reply"] = with_notice(answer["reply"])
    payload = {
        **told,
        "steps": [step.to_json() for step in moved.steps],
        "status": answer["status"],
        "reply": answer["reply"],
        "why_not": answer["why_not"],
    }
    events = [NewEvent(type_, actor, payload)]
    if moved.answer.status in STUCK:
        because = stuck_figures(moved)
        request = requested(relationship, reason=stuck_because(moved), actor="system", because=because, after=events)
        events.append(request)
        answer["handoff_id"] = request.payload["handoff_id"]
    closes = ClosureType.COMPLETED if moved.answer.status is Status.COMPLETE else None
    return Decided(events, answer, closes=closes)


def with_notice(reply: dict[str, Any] | None) -> dict[str, Any]:
    """What the visitor hears on being passed on: the flow's last words, if any, and that somebody comes."""
    said = [reply["text"]] if reply else []
    return spoken("\n\n".join([*said, WAITING_NOTICE]))


def spoken(text: str) -> dict[str, Any]:
    return {"text": text, "quick_replies": [], "cards": []}


def stuck_because(moved: Advanced) -> str:
    """Why the flow needs a person, in words: the handoff's reason, or every reason of every node."""
    if moved.answer.status is Status.HANDOFF and moved.answer.spoken:
        return moved.answer.spoken[-1].reason
    blocked = [f"{node}: {', '.join(map(in_words, rules))}" for node, rules in moved.answer.why_not.items()]
    return f"{moved.answer.status.value}: no node can run. " + "; ".join(blocked)


def in_words(rule: dict[str, Any]) -> str:
    missing = f" ({', '.join(rule['missing'])})" if rule["missing"] else ""
    return f"{rule['rule']}{missing}"


def stuck_figures(moved: Advanced) -> dict[str, Any]:
    """The same as codes: what the screens say in their own language."""
    if moved.answer.status is Status.HANDOFF and moved.answer.spoken:
        decision = moved.answer.spoken[-1].decision
        return {"code": "node", "node": decision.node_id, "reasons": [code.value for code in decision.codes]}
    return {"code": "no_node", "why_not": moved.answer.why_not}
