"""What drives a conversation (turns, workflow steps, the call for a person), and the server's pulse."""

from collections.abc import Mapping
from typing import Any

from lastword_client.answers import Answer, Handoff, Step, Turn
from lastword_client.core import Core, new_id
from lastword_client.operations.paths import of_relationship
from lastword_client.plan import Plan


def take_turn(
    core: Core,
    relationship_id: str,
    text: str = "",
    *,
    message_id: str | None = None,
    facts: Mapping[str, Any] | None = None,
    meaning: str | None = None,
    target_id: str | None = None,
    intent: str | None = None,
    confidence: float | None = None,
    idempotency_key: str | None = None,
) -> Plan[Turn]:
    """Hands a visitor's message to the flow or assistant; a repeated `message_id` is a duplicate."""
    body = {
        "message_id": message_id or new_id(),
        "text": text,
        "facts": facts,
        "meaning": meaning,
        "target_id": target_id,
        "intent": intent,
        "confidence": confidence,
    }
    request = core.post(of_relationship(relationship_id, "turns"), body, idempotency_key=idempotency_key)
    return core.fetch(request, Turn.read, relationship=relationship_id)


def post_step(
    core: Core,
    relationship_id: str,
    operation: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    step_id: str | None = None,
    response: Any = None,
    finish_reason: str | None = None,
    error: Any = None,
    original_request: str | None = None,
    idempotency_key: str | None = None,
) -> Plan[Step]:
    """Reports one workflow step; the answer's `should_continue` says whether to take another."""
    body = {
        "step_id": step_id or new_id(),
        "operation": operation,
        "parameters": parameters,
        "response": response,
        "finish_reason": finish_reason,
        "error": error,
        "original_request": original_request,
    }
    request = core.post(of_relationship(relationship_id, "steps"), body, idempotency_key=idempotency_key)
    return core.fetch(request, Step.read, relationship=relationship_id)


def request_handoff(
    core: Core, relationship_id: str, reason: str, *, idempotency_key: str | None = None
) -> Plan[Handoff]:
    """Asks for a person."""
    request = core.post(
        of_relationship(relationship_id, "handoff"), {"reason": reason}, idempotency_key=idempotency_key
    )
    return core.fetch(request, Handoff.read, relationship=relationship_id)


def health(core: Core) -> Plan[Answer]:
    """What `/healthz` says: the process is up."""
    return core.fetch(core.get("/healthz"), Answer.read)
