"""JSON with no room for two readings: bounded, no duplicate keys, no NaN, no lone surrogates, no NUL."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from conversations.domain.errors import InvalidTermsError
from conversations.domain.json_fields import shown, walked

MAX_NESTING = 32
# Beyond it a canonical text cannot tell neighbours apart (RFC 7493), and a number read back is not the one written.
MAX_NUMBER = 2**53 - 1
# Python turns no longer text into a whole number.
MAX_DIGITS = 4300


class UnreadableBodyError(InvalidTermsError):
    """A body that could be read in two ways, or that nothing here can store."""

    def __init__(self, code: str, message: str, *, field: str = "") -> None:
        super().__init__(field=field, code=code, message=message)


class MalformedJsonError(UnreadableBodyError):
    code = "malformed_json"
    status = 400
    title = "The body is not JSON"

    def __init__(self, message: str) -> None:
        super().__init__("malformed_json", message)


def strict_json(raw: bytes) -> Any:
    """The value of a JSON text, or the named reason why it has none."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise MalformedJsonError("The body is not UTF-8.") from problem
    check_nesting(text)
    value = with_numbers_checked(text)
    if "\\u" in text:  # only an escape can bring in what UTF-8 itself refuses
        check_texts(value)
    return value


@dataclass(frozen=True, slots=True)
class BadNumber:
    """Stands where a number was that cannot be one: its field is known only once all is read."""

    code: str
    message: str


TOO_LARGE = BadNumber("number_out_of_range", "A number is too large.")


def with_numbers_checked(text: str) -> Any:
    """The text's value; a number that none can be is refused by the field it stands in."""
    met: list[BadNumber] = []

    def refuse(number: BadNumber) -> BadNumber:
        met.append(number)
        return number

    def constant(name: str) -> BadNumber:
        return refuse(BadNumber("not_a_number", f"{name} is not JSON."))

    def fraction(digits: str) -> float | BadNumber:
        number = float(digits)
        return number if abs(number) <= MAX_NUMBER else refuse(TOO_LARGE)

    def whole(digits: str) -> int | BadNumber:
        return int(digits) if len(digits) <= MAX_DIGITS else refuse(TOO_LARGE)

    hooks: dict[str, Any] = {"object_pairs_hook": unique_keys, "parse_constant": constant, "parse_float": fraction}
    try:
        value = json.loads(text, **hooks)
    except json.JSONDecodeError as problem:
        raise MalformedJsonError(f"The body is not JSON: {problem}"[:200]) from problem
    except ValueError:  # more digits than Python turns into a number: read again, looking at each
        value = json.loads(text, **hooks, parse_int=whole)
    if met:
        field, bad = next((field, item) for field, item in walked(value) if isinstance(item, BadNumber))
        raise UnreadableBodyError(bad.code, bad.message, field=shown(field))
    return value


def check_nesting(text: str) -> None:
    """Counts brackets outside strings before any recursive reader sees them."""
    if text.count("{") + text.count("[") <= MAX_NESTING:
        return
    depth, in_string, escaped = 0, False, False
    for character in text:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "{[":
            depth += 1
            if depth > MAX_NESTING:
                raise UnreadableBodyError("too_deep", f"JSON may nest {MAX_NESTING} deep.")
        elif character in "}]":
            depth -= 1


def unique_keys(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise UnreadableBodyError("duplicate_key", "A key occurs twice in one object.", field=shown(key))
        found[key] = value
    return found


def check_texts(value: Any) -> None:
    """No text may hold what neither UTF-8 nor the database can."""
    for field, item in walked(value):
        if isinstance(item, str):
            if "\0" in item:
                raise UnreadableBodyError("nul_character", "A text contains a NUL character.", field=shown(field))
            if any("\ud800" <= character <= "\udfff" for character in item):
                raise UnreadableBodyError("lone_surrogate", "A text contains half a character.", field=shown(field))
