"""Agent answers may be any JSON value; here they become text, bounded."""

from __future__ import annotations

import json
from typing import Any

EXCERPT = 600


def as_text(value: Any) -> str:
    """A string as it stands, nothing as nothing, any other JSON value encoded."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return f"({type(value).__name__}, nested too deep to show)"


def excerpt_of(text: str) -> str:
    """The beginning of a text, enough to name what it was about."""
    return text[:EXCERPT]
