"""The policy as a form: typed text to a partial document, and a document to fields. Pure.

What cannot be a number stays the text it is, so that the document's own rules say what is wrong with it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from guards.policy_document import DEFAULT_POLICY, FieldError, PolicyDocument

ON = "on"
WHOLE = re.compile(r"-?[0-9]{1,15}")
DECIMAL = re.compile(r"-?[0-9]{0,15}[.,][0-9]{1,6}|-?[0-9]{1,15}[.,]")


@dataclass(frozen=True, slots=True)
class Setting:
    """One field: what it shows, what is in force and what the seed said, and what is wrong with what was typed."""

    name: str
    shown: Any
    in_force: Any
    default: Any
    error: str = ""

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def changed(self) -> bool:
        return bool(self.shown != self.in_force)


def settings_of(
    in_force: PolicyDocument, shown: Mapping[str, Any], errors: tuple[FieldError, ...] = ()
) -> dict[str, list[Setting]]:
    """Every setting by part; `shown` has the values that differ from the ones in force, by dotted name."""
    wrong = {error.field: error.message for error in errors}
    parts: dict[str, list[Setting]] = {}
    for part, name, value, default in _walk(in_force):
        dotted = f"{part}.{name}"
        field = Setting(dotted, shown.get(dotted, value), value, default, wrong.get(dotted, ""))
        parts.setdefault(part, []).append(field)
    return parts


def typed(form: Mapping[str, str]) -> dict[str, Any]:
    """What was typed into each setting, by dotted name; a switch that is not sent is off."""
    return {
        f"{part}.{name}": _value(form.get(f"{part}.{name}", ""), switch=isinstance(default, bool))
        for part, name, _value_in_force, default in _walk(DEFAULT_POLICY)
    }


def partial_of(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Dotted values as the document's parts."""
    parts: dict[str, dict[str, Any]] = {}
    for dotted, value in values.items():
        part, _, name = dotted.partition(".")
        parts.setdefault(part, {})[name] = value
    return parts


def differences(old: PolicyDocument, new: PolicyDocument) -> list[tuple[str, Any, Any]]:
    """Each setting two documents disagree about: its dotted name, before, after."""
    return [
        (f"{part}.{name}", before, getattr(getattr(new, part), name))
        for part, name, before, _default in _walk(old)
        if before != getattr(getattr(new, part), name)
    ]


def _walk(document: PolicyDocument) -> Iterator[tuple[str, str, Any, Any]]:
    for part in fields(PolicyDocument):
        values, defaults = getattr(document, part.name), getattr(DEFAULT_POLICY, part.name)
        for field in fields(values):
            yield part.name, field.name, getattr(values, field.name), getattr(defaults, field.name)


def _value(text: str, *, switch: bool) -> Any:
    if switch:
        return text == ON
    text = text.strip()
    if WHOLE.fullmatch(text):
        return int(text)
    if DECIMAL.fullmatch(text):
        number = float(text.replace(",", "."))
        return int(number) if number.is_integer() else number
    return text
