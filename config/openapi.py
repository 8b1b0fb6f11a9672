"""What is true of every operation, said once for the whole schema."""

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema

PROBLEM = {
    "description": "A refusal, in RFC 9457's shape; `code` names it.",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string"},
    "description": "The same key and body again give the stored answer, with `Idempotent-Replayed: true`.",
}


class ContractSchema(AutoSchema):
    """Operations named after their method and address, so that no two can collide."""

    def get_operation_id(self) -> str:
        address = re.sub(r"\{(\w+)\}", r"by_\1", self.path.removeprefix("/api/v1/"))
        return f"{self.method.lower()}_{re.sub(r'[^A-Za-z0-9]+', '_', address).strip('_')}"


def describe_conventions(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Every operation may answer with a problem, and every POST takes an idempotency key."""
    for operations in result["paths"].values():
        for method, operation in operations.items():
            if method == "post":
                operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
            responses = operation["responses"]
            refusals = [status for status in responses if status.startswith(("4", "5"))]
            responses.update(dict.fromkeys([*refusals, "default"], PROBLEM))
    return result
