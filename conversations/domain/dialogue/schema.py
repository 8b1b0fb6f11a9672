"""The seed's JSON schema of `conversation_state` as data, and a check of exactly the keywords it uses."""

from collections.abc import Mapping
from typing import Any

from conversations.domain.dialogue.states import State

_TEXT_OR_NULL: dict[str, Any] = {"type": ["string", "null"]}

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "conversation_state",
    "type": "object",
    "additionalProperties": False,
    "required": [
        "state",
        "last_intent",
        "pagination",
        "pending_confirmation",
        "clarification_attempts",
        "last_user_message_id",
        "last_agent_message_id",
    ],
    "properties": {
        "state": {"type": "string", "enum": [state.value for state in State]},
        "last_intent": _TEXT_OR_NULL,
        "pagination": {
            "type": "object",
            "additionalProperties": False,
            "required": ["offset", "limit", "last_query_hash"],
            "properties": {
                "offset": {"type": "integer", "minimum": 0},
                "limit": {"type": "integer", "minimum": 1, "maximum": 5},
                "last_query_hash": _TEXT_OR_NULL,
            },
        },
        "pending_confirmation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["action", "target_id"],
            "properties": {
                "action": _TEXT_OR_NULL,
                "target_id": _TEXT_OR_NULL,
                "created_at": _TEXT_OR_NULL,
            },
        },
        "clarification_attempts": {"type": "integer", "minimum": 0},
        "last_user_message_id": _TEXT_OR_NULL,
        "last_agent_message_id": _TEXT_OR_NULL,
    },
}


def violations(document: object, schema: Mapping[str, Any] = SCHEMA, path: str = "") -> list[str]:
    """Every way in which the document breaks the schema, each with its path; empty when it is valid."""
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    where = path or "document"
    if _type_of(document) not in allowed:
        return [f"{where}: must be {' or '.join(allowed)}"]
    if isinstance(document, Mapping):
        return _object_violations(document, schema, path)
    found = []
    if "enum" in schema and document not in schema["enum"]:
        found.append(f"{where}: unknown value {document!r}")
    if "minimum" in schema and document < schema["minimum"]:
        found.append(f"{where}: below {schema['minimum']}")
    if "maximum" in schema and document > schema["maximum"]:
        found.append(f"{where}: above {schema['maximum']}")
    return found


def _object_violations(document: Mapping[Any, Any], schema: Mapping[str, Any], path: str) -> list[str]:
    prefix = f"{path}." if path else ""
    properties = schema["properties"]
    found = [f"{prefix}{name}: missing" for name in schema["required"] if name not in document]
    for name, value in document.items():
        if name in properties:
            found += violations(value, properties[name], f"{prefix}{name}")
        else:
            found.append(f"{prefix}{name}: not allowed")
    return found


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float) and value.is_integer():
        return "integer"  # JSON Schema calls 5.0 an integer
    names = {str: "string", int: "integer", float: "number", type(None): "null", list: "array"}
    return "object" if isinstance(value, Mapping) else names.get(type(value), "unknown")
