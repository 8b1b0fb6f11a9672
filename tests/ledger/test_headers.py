"""The verifier's fast spelling of a header is the canonical one, for whatever stands in its columns."""

from hypothesis import given
from hypothesis import strategies as st

from audit.ledger.chain import header_text
from conversations.domain.hash_chain import Header

words = st.text(st.characters(codec="utf-8"), max_size=30)


@given(actor=words, type=words, seq=st.integers(1, 2**31))
def test_it_is_what_the_ledger_writes(actor: str, type: str, seq: int) -> None:
    columns = {
        "relationship": "39121e91-2d90-4153-8144-e1dc98aa2b59",
        "seq": seq,
        "type": type,
        "at": "2025-11-18T08:00:00.000000Z",
        "actor": actor,
        "commitment": "c" * 64,
        "prev": "0" * 64,
    }
    assert header_text(**columns) == Header(**columns).text()
