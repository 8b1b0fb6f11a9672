"""Canonical JSON (RFC 8785): the exact text that is stored and hashed, written once and never again."""

import json
import math
from collections.abc import Mapping
from typing import Any

import rfc8785

from conversations.domain.errors import NotCanonicalError
from conversations.domain.json_fields import shown, walked

MAX_INTEGER = 2**53 - 1
write_plain = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False).encode


def canonical_text(document: Mapping[str, Any]) -> str:
    """The RFC 8785 text of a document; refuses what has no canonical form (NaN, huge integers, lone surrogates)."""
    try:
        if not is_plain(document):
            return rfc8785.dumps(dict(document)).decode("utf-8")
        text = write_plain(document)
        text.encode()  # refuses lone surrogates
        return text
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError) as problem:
        raise NotCanonicalError(str(problem), field=without_form(document)) from problem


def is_plain(value: Any) -> bool:
    """Whether the standard library's sorted JSON is RFC 8785 to the letter; it is, five times faster, where no number
    is a float (spelt as in JavaScript there) and no key goes beyond ASCII (sorted by UTF-16 units there)."""
    if isinstance(value, str) or value is None or value is True or value is False:
        return True
    if isinstance(value, int):
        return -MAX_INTEGER <= value <= MAX_INTEGER
    if isinstance(value, dict):
        return all(isinstance(key, str) and key.isascii() and is_plain(item) for key, item in value.items())
    return isinstance(value, list) and all(map(is_plain, value))


def without_form(document: Mapping[str, Any]) -> str:
    """The field that has no canonical form; no name where it is the document as a whole, nested too deep."""
    return shown(next((field for field, item in walked(dict(document)) if not has_form(item)), ""))


def has_form(item: Any) -> bool:
    if isinstance(item, float):
        return math.isfinite(item)
    if isinstance(item, str):
        return not any("\ud800" <= character <= "\udfff" for character in item)
    return is_plain(item)
