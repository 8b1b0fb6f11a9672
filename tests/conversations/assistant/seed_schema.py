"""Section 1 of seed 002, copied as it stands there: the tests must not trust the code's own copy."""

import json
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA: dict[str, Any] = json.loads("""
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "conversation_state",
  "type": "object",
  "additionalProperties": false,
  "required": ["state", "last_intent", "pagination", "pending_confirmation", "clarification_attempts",
               "last_user_message_id", "last_agent_message_id"],
  "properties": {
    "state": {
      "type": "string",
      "enum": ["idle", "clarifying", "recommending", "awaiting_confirmation", "paginating", "error", "handoff"]
    },
    "last_intent": {"type": ["string", "null"]},
    "pagination": {
      "type": "object",
      "additionalProperties": false,
      "required": ["offset", "limit", "last_query_hash"],
      "properties": {
        "offset": {"type": "integer", "minimum": 0},
        "limit": {"type": "integer", "minimum": 1, "maximum": 5},
        "last_query_hash": {"type": ["string", "null"]}
      }
    },
    "pending_confirmation": {
      "type": "object",
      "additionalProperties": false,
      "required": ["action", "target_id"],
      "properties": {
        "action": {"type": ["string", "null"]},
        "target_id": {"type": ["string", "null"]},
        "created_at": {"type": ["string", "null"]}
      }
    },
    "clarification_attempts": {"type": "integer", "minimum": 0},
    "last_user_message_id": {"type": ["string", "null"]},
    "last_agent_message_id": {"type": ["string", "null"]}
  }
}
""")
VALIDATOR = Draft202012Validator(SCHEMA)
