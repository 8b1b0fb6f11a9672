"""Pages of a search: nothing shown twice in a conversation, nothing skipped."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from conversations.domain.dialogue.reply import Card
from conversations.domain.intents.text import normalise

Search = Callable[[str, int, int], Sequence[Card]]
"""`search(query, offset, limit)`: cards in a stable order from `offset`; fewer than `limit` mean the end."""


class CatalogueUnavailableError(Exception):
    """The catalogue could not answer now; trying again may help."""


@dataclass(frozen=True, slots=True)
class Page:
    """At most `limit` unseen cards, and whether another page would have any."""

    cards: tuple[Card, ...]
    has_more: bool


def query_hash(query: str) -> str:
    """The fingerprint by which a stored page position is known to belong to this query."""
    return sha256(normalise(query).encode()).hexdigest()


def belongs_to(query: str | None, last_query_hash: str | None) -> bool:
    """Whether the stored position is the live query's."""
    return query is not None and query_hash(query) == last_query_hash


def read_page(search: Search, query: str, offset: int, limit: int, shown: Sequence[str]) -> Page:
    """The first `limit` cards from `offset` on that were not shown yet, reading past the page to fill it.

    Every unseen card before `offset + limit` is among them, so the next page may start there.
    """
    seen = set(shown)
    unseen: list[Card] = []
    chunk = limit + len(seen) + 1  # as many as could be filtered, and one to know whether more follow
    while len(unseen) <= limit:
        batch = search(query, offset, chunk)
        for card in batch:
            if card.id not in seen:
                seen.add(card.id)
                unseen.append(card)
        if len(batch) < chunk:
            break
        offset += len(batch)
    return Page(tuple(unseen[:limit]), len(unseen) > limit)
