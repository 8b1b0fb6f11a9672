"""One step of a workflow, through the one pipeline."""

from typing import Any
from uuid import UUID

from conversations.domain.messages import Inbound, Kind
from conversations.models import ApiKey
from conversations.selectors.relationships import relationship_for
from conversations.services.ingest import ingest

UNNAMED_ERROR = "error"


def take_step(
    *,
    relationship_id: UUID,
    step_id: str,
    operation: str,
    caller: ApiKey,
    parameters: Any = None,
    response: Any = None,
    finish_reason: str | None = None,
    error: str | bool | None = None,
    original_request: str | None = None,
) -> dict[str, Any]:
    """Records the step and answers whether to go on; the same step id again gets the same answer."""
    sender = relationship_for(caller, relationship_id).initiator.handle
    content = {
        "operation": operation,
        "parameters": parameters,
        "response": response,
        "finish_reason": finish_reason,
        "error": error if isinstance(error, str) else UNNAMED_ERROR if error else None,
        "request": original_request or "",
    }
    return ingest(Inbound(Kind.STEP, relationship_id, sender, content, dedupe=step_id), caller=caller).answer
