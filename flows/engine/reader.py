"""Read untrusted JSON with the path at hand: every surprise becomes a finding, nothing raises."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from .findings import Code, Finding, Level, pointer
from .wording import Sentence, sentence

MAX_NAME = 100
MAX_LIST = 2_000
MAX_FINDINGS = 200
Choice = TypeVar("Choice", bound=StrEnum)
Path = tuple[str | int, ...]


class Reader:
    """Collects findings; `sound` turns false once a value was dropped, so that later checks would mislead."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.sound = True
        self.node: str | None = None

    def refuse(self, path: Path, message: Sentence, suggestion: Sentence, *, drops: bool = True) -> None:
        """Note a problem; `drops` says that the value is lost to the definition."""
        self.sound = self.sound and not drops
        if len(self.findings) < MAX_FINDINGS:
            place = pointer(*path)
            self.findings.append(Finding(Level.ERROR, Code.INVALID_DOCUMENT, place, message, suggestion, self.node))

    def refuse_kind(self, path: Path, value: Any) -> None:
        """Note that an object should stand here."""
        self.refuse(path, sentence("must be an object, not %(kind)s", kind=kind(value)), sentence("write it as { … }"))

    def mapping(self, path: Path, value: Any, *, limit: int | None = None) -> dict[str, Any]:
        """An object with free keys (gate names, fact names); an absent one is empty."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.refuse_kind(path, value)
            return {}
        if limit is not None and len(value) > limit:
            self.refuse(path, too_many(len(value), limit), sentence("split the flow"))
            return {}
        return {name: item for name, item in value.items() if self._name((*path, name), name) is not None}

    def record(self, path: Path, value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        """An object with known keys; unknown ones are reported with the nearest known name."""
        if value is not None and not isinstance(value, dict):
            self.refuse_kind(path, value)
        if not isinstance(value, dict):
            return {}
        for key in value:
            if key not in keys:
                self._unknown(path, str(key), keys)
        return value

    def _unknown(self, path: Path, key: str, keys: tuple[str, ...]) -> None:
        near = get_close_matches(key[:MAX_NAME], keys, n=1) if len(self.findings) < MAX_FINDINGS else []
        if near:
            advice = sentence("did you mean “%(key)s”?", key=near[0])
        else:
            advice = sentence("remove it; known keys: %(keys)s", keys=", ".join(keys))
        self.refuse((*path, key[:MAX_NAME]), sentence("is not a known key"), advice, drops=False)

    def items(self, path: Path, value: Any, *, limit: int = MAX_LIST) -> Iterator[tuple[Path, Any]]:
        """The members of a list with their paths; an absent list is empty."""
        if value is None:
            return
        if not isinstance(value, list):
            self.refuse(path, sentence("must be a list, not %(kind)s", kind=kind(value)), sentence("write it as [ … ]"))
        elif len(value) > limit:
            self.refuse(path, too_many(len(value), limit), sentence("split the flow"))
        else:
            for index, item in enumerate(value):
                yield (*path, index), item

    def names(self, path: Path, value: Any) -> tuple[str, ...]:
        """A list of names, repeats dropped."""
        found = (self._name(place, item) for place, item in self.items(path, value))
        return tuple(dict.fromkeys(name for name in found if name is not None))

    def optional_names(self, path: Path, value: Any) -> tuple[str, ...] | None:
        """Like `names`, but an absent list stays distinct from an empty one (F15)."""
        return None if value is None else self.names(path, value)

    def name(self, path: Path, value: Any) -> str:
        """A required name; the empty string stands in for one that was refused."""
        return self._name(path, value) or ""

    def _name(self, path: Path, value: Any) -> str | None:
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            advice = sentence("give it a short name such as contact-1")
            self.refuse(path, sentence("must be a name: visible text"), advice)
        elif len(value) > MAX_NAME:
            self.refuse(path, sentence("is longer than %(n)s characters", n=MAX_NAME), sentence("shorten the name"))
        else:
            return value
        return None

    def text(self, path: Path, value: Any, *, limit: int) -> str:
        """Free text; absent is empty."""
        if value is None:
            return ""
        if not isinstance(value, str):
            self.refuse(path, sentence("must be text, not %(kind)s", kind=kind(value)), sentence("put it in quotes"))
        elif len(value) > limit:
            why = sentence("has %(n)s characters, at most %(most)s are allowed", n=len(value), most=limit)
            self.refuse(path, why, sentence("shorten it"))
        elif not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            self.refuse(path, sentence("contains half a character (a lone surrogate)"), sentence("retype the text"))
        else:
            return value
        return ""

    def integer(self, path: Path, value: Any, *, low: int, high: int) -> int | None:
        """A whole number within bounds; None when absent or refused."""
        if value is None:
            return None
        advice = sentence("write %(low)s to %(high)s", low=low, high=high)
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(path, sentence("must be a whole number, not %(kind)s", kind=kind(value)), advice)
        elif not low <= value <= high:
            self.refuse(path, sentence("must be between %(low)s and %(high)s", low=low, high=high), advice)
        else:
            return value
        return None

    def flag(self, path: Path, value: Any) -> bool:
        """true or false; absent is false."""
        if value is not None and not isinstance(value, bool):
            why = sentence("must be true or false, not %(kind)s", kind=kind(value))
            self.refuse(path, why, sentence("write true or false"))
        return value is True

    def choice(self, path: Path, value: Any, options: Callable[[str], Choice], default: Choice) -> Choice:
        """One of an enumeration's words; absent is the default."""
        if value is None:
            return default
        try:
            return options(value)
        except ValueError:
            words = ", ".join(type(default))
            advice = sentence("write one of: %(words)s", words=words)
            self.refuse(path, sentence("is not one of the allowed words"), advice)
            return default


KINDS = {
    dict: sentence("an object"),
    list: sentence("a list"),
    str: sentence("text"),
    bool: sentence("true/false"),
    type(None): sentence("null"),
}


def kind(value: Any) -> Sentence:
    """What JSON calls a value's type."""
    return KINDS.get(type(value)) or sentence("a number")


def too_many(count: int, most: int) -> Sentence:
    return sentence("has %(n)s entries, at most %(most)s are allowed", n=count, most=most)
