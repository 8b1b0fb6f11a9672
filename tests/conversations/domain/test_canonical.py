"""One text for one document, and a refusal for what has none."""

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from conversations.domain.canonical import canonical_text
from conversations.domain.errors import NotCanonicalError
from conversations.domain.hash_chain import GENESIS, Header, commitment, header_hash

SAFE = 2**53 - 1
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.none() | st.booleans() | st.integers(-SAFE, SAFE) | texts
documents = st.dictionaries(
    texts, st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8)
)


@given(documents)
def test_reading_a_canonical_text_and_writing_it_again_gives_the_same_text(document: dict[str, Any]) -> None:
    text = canonical_text(document)
    assert json.loads(text) == document
    assert canonical_text(json.loads(text)) == text


@given(documents)
def test_the_order_of_keys_does_not_matter(document: dict[str, Any]) -> None:
    assert canonical_text(dict(reversed(document.items()))) == canonical_text(document)


def test_keys_are_ordered_by_utf16_units_as_rfc_8785_says() -> None:
    # U+1F600 is written with surrogates (D83D…) and so stands before U+FB33, unlike in code point order
    assert list(json.loads(canonical_text({"\ufb33": 1, "\U0001f600": 2}))) == ["\U0001f600", "\ufb33"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, -(2**53), "\ud800"])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(NotCanonicalError):
        canonical_text({"value": value})


def header(**changed: Any) -> Header:
    told = {
        "relationship": "r",
        "seq": 1,
        "type": "intent",
        "at": "t",
        "actor": "a",
        "commitment": "c",
        "prev": GENESIS,
    }
    return Header(**{**told, **changed})


@pytest.mark.parametrize("field", ["relationship", "seq", "type", "at", "actor", "commitment", "prev", "version"])
def test_every_field_of_the_header_is_hashed(field: str) -> None:
    changed = header(**{field: 2 if field in ("seq", "version") else "other"})
    assert header_hash(changed.text()) != header_hash(header().text())


def test_a_commitment_needs_both_salt_and_text() -> None:
    made = commitment(b"s" * 32, "{}")
    assert made == commitment(b"s" * 32, "{}")
    assert made != commitment(b"t" * 32, "{}")
    assert made != commitment(b"s" * 32, "[]")


numbers = st.integers(-SAFE, SAFE) | st.floats(allow_nan=False, allow_infinity=False)
anything = st.dictionaries(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    st.recursive(scalars | numbers, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8),
)


@given(anything)
def test_the_short_way_writes_what_rfc_8785_writes(document: dict[str, Any]) -> None:
    assert canonical_text(document) == rfc8785.dumps(document).decode()
