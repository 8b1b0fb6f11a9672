"""A reply from a template: `{fact}` becomes the fact's value, and nothing else is ever evaluated."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conversations.responders.port import MAX_REPLY, Reply, ReplyRequest

KIND = "template"
_PLACEHOLDER = re.compile(r"\{\{|\}\}|( ?)\{([A-Za-z_][A-Za-z0-9_.-]{0,63})\}")


@dataclass(frozen=True, slots=True)
class TemplateResponder:
    """`text` with the facts filled in; without a text of its own, the prompt."""

    text: str = ""

    def respond(self, *, request: ReplyRequest) -> Reply:
        return Reply(text=fill(self.text or request.prompt, request.facts)[:MAX_REPLY], responder=KIND)


def fill(template: str, facts: Mapping[str, Any]) -> str:
    """The template with its placeholders replaced, in one pass: a value with braces stays what it is.

    A fact that is not there leaves nothing, not even the space before it ("Hi {name}!" → "Hi!").
    `{{` and `}}` are literal braces.
    """

    def replace(match: re.Match[str]) -> str:
        if match[2] is None:
            return match[0][0]
        value = facts.get(match[2])
        return "" if value is None else match[1] + _spoken(value)

    return _PLACEHOLDER.sub(replace, template)


def _spoken(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and "amount" in value:
        return f"{value['amount']} {value.get('unit') or ''}".strip()
    return json.dumps(value, ensure_ascii=False, default=str)
