"""Identity and likeness of texts: every function is bounded whatever the length of its input."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice, pairwise
from typing import Any
from zlib import crc32

HEAD = 400  # characters kept of the beginning of a text, and of its end:
TAIL = 100  # about eighty words, enough to tell two requests apart
PROSE = 4_096
JSON_TEXT = 20_000  # characters of an argument that are read as JSON
SENTENCE_SPACES = 3  # an argument of four words is a sentence, a shorter one a name, a date or a code
SCALARS = 1_000

# Short plain numbers stay: a rising percentage or a falling price is news, a clock or an id is not.
_VOLATILE = re.compile(
    r"\d(?:[0-9a-fA-F-]{11,}|\d{8,}|[xX][0-9a-fA-F]+"  # uuids and hashes, serial numbers, addresses
    r"|(?:\d{3}-\d\d-\d\d[T ]\d)?\d?:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"  # clock times
    r"|\d*(?:\.\d+)? ?(?:ms|s|secs?|seconds?|mins?|minutes?|hours?)\b)"  # durations
)
_HEX_LETTERS = "abcdefABCDEF-"
_COUNTER = re.compile(r"(?:ttempt|etry|equest|teration) ?[#:]? ?\d+")
_COUNTED = ("ttempt ", "etry ", "equest ", "teration ")
_ERROR = re.compile(r"\W*(?:\w+ )?\w*(?:error|exception|traceback)\b", re.IGNORECASE)
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)
_DIGITS = b"0123456789"
_EDGES = ".,;:!?\"'()[]*“”‘’"
_OPENS = frozenset("{[ \n")
_RECORDS = frozenset({'{"', "{}", "[{", '["', "[[", "[]"})
_CODE_MARKS = b"=(){}[];<>\\"
# Folds ASCII case and turns ASCII punctuation into spaces; other bytes belong to letters of other scripts.
_FOLD = bytes(b if b >= 128 else ord(chr(b).lower()) if chr(b).isalnum() else ord(" ") for b in range(256))
# Arguments that name the request rather than ask for anything; all others are what is asked, ids included.
_REQUEST_MARKS = frozenset(
    {"request_id", "requestid", "trace_id", "correlation_id", "idempotency_key", "nonce", "timestamp", "ts"}
)


def encoded(text: str) -> bytes:
    """UTF-8 that accepts any string, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def digest(text: str) -> str:
    """A short stable name for a text (the built-in hash differs between processes)."""
    return blake2b(encoded(text), digest_size=8).hexdigest()


def excerpt(text: str) -> str:
    """The beginning and the end of a text."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} {text[-TAIL:]}"


def mask_volatile(text: str) -> str:
    """Replace clocks, durations, counters, addresses, uuids and long ids by '#'."""
    pieces = _VOLATILE.sub("\x00", text).split("\x00")
    if len(pieces) > 1:  # a hash that starts with letters was found at its first digit: drop the letters too
        text = "#".join([*(piece.rstrip(_HEX_LETTERS) for piece in pieces[:-1]), pieces[-1]])
    return _COUNTER.sub("#", text) if any(mark in text for mark in _COUNTED) else text


def beyond_excerpt(text: str) -> int:
    """A name for what the excerpt leaves out; so far into a text every figure counts as volatile."""
    return crc32(encoded(text[HEAD:]).translate(None, _DIGITS)) if len(text) > HEAD else 0


def unpacked(parameters: Any) -> Any:
    """Arguments handed over as JSON text, as function calls carry them, are the arguments it holds."""
    if isinstance(parameters, str):
        return _from_json(parameters)
    if isinstance(parameters, dict):
        return {name: _from_json(value) if isinstance(value, str) else value for name, value in parameters.items()}
    return parameters


def _from_json(text: str) -> Any:
    if not looks_like_record(text) or len(text) > JSON_TEXT:
        return text
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return text


def call_identity(operation: str, parameters: Any) -> str:
    """One name per operation and arguments, whatever the order of keys and however deep they nest."""
    if isinstance(parameters, dict) and not _REQUEST_MARKS.isdisjoint(parameters):
        parameters = {key: value for key, value in parameters.items() if key not in _REQUEST_MARKS}
    if not parameters:
        return digest(operation)
    try:
        arguments = _ENCODER.encode(parameters)
    except (RecursionError, TypeError, ValueError):
        arguments = "\x00".join(_scalars(parameters, with_keys=True))
    return digest(f"{operation}\x00{arguments}")


def prose(parameters: Any) -> str:
    """The sentences among the arguments: what a reworded call rewords."""
    parts: list[str] = []
    room = PROSE
    for value in islice(_scalars(parameters), SCALARS):
        if room > 0 and value.count(" ", 0, PROSE) >= SENTENCE_SPACES:
            parts.append(value[:room])
            room -= len(value)
    return " ".join(parts)


def word_list(text: str) -> list[str]:
    """The words of an excerpt, case folded; pairs of letters where a script writes no spaces."""
    raw = excerpt(text)
    found = encoded(raw).translate(_FOLD).decode("utf-8", "surrogatepass").split()
    if not raw.isascii() and len(found) * 12 < len(raw):
        found = [raw[i : i + 2] for i in range(len(raw) - 1)]
    return found


def words(text: str) -> frozenset[str]:
    """The distinct words of an excerpt."""
    return frozenset(word_list(text))


def names_and_numbers(text: str) -> frozenset[str]:
    """The part of a sentence that carries the news: capitalised words within it, figures, codes."""
    spoken = [".", *excerpt(text).split()]
    marked = [
        word for before, word in pairwise(spoken) if not (word.islower() and word.isalpha()) and _is_name(before, word)
    ]
    return frozenset(word.strip(_EDGES).lower() for word in marked)


def _is_name(before: str, word: str) -> bool:
    bare = word.strip(_EDGES)
    if len(bare) < 2 or "'" in bare or "’" in bare:
        return False
    if bare.isalpha():
        return not bare.islower() and before[-1] not in ".!?:"
    return any(map(str.isdigit, bare))


def likeness(one: frozenset[str], other: frozenset[str], least: float = 0.0) -> float:
    """Jaccard similarity of two word sets, 0 to 1; 0 at once where their sizes alone keep it below `least`."""
    ours, theirs = len(one), len(other)
    if ours < least * theirs or theirs < least * ours:
        return 0.0
    shared = len(one & other)
    return shared / (ours + theirs - shared) if shared else 0.0


def looks_like_code(text: str) -> bool:
    """More than one character in thirty is a programming mark."""
    raw = encoded(excerpt(text))
    return (len(raw) - len(raw.translate(None, _CODE_MARKS))) * 30 > len(raw)


def looks_like_record(text: str) -> bool:
    """The text opens as a JSON object or array of records does."""
    return text[:1] in _OPENS and "".join(text[:16].split())[:2] in _RECORDS


def reads_like_error(text: str) -> bool:
    """The text opens as an error report does."""
    return _ERROR.match(text, 0, 80) is not None


def _scalars(value: Any, *, with_keys: bool = False) -> Iterator[str]:
    """Every scalar, depth first, without recursion: arguments may be nested beyond the stack."""
    pending: list[Any] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            pending.extend(reversed(item.values()))
            if with_keys:
                yield "\x01".join(map(str, item))
        elif isinstance(item, list | tuple):
            pending.extend(reversed(item))
        elif item is not None:
            yield str(item)
