"""The catalogue to search."""

from functools import lru_cache

from django.db import DatabaseError, connection, transaction
from django.db.models import Count, Max

from conversations import product_search
from conversations.domain.dialogue.pagination import CatalogueUnavailableError
from conversations.domain.dialogue.reply import Card
from conversations.domain.intents.text import words_of
from conversations.models import Product

MAX_TERMS, MAX_TERM = 12, 64
MAX_VOCABULARY = 20_000


def found(query: str, *, limit: int, offset: int = 0) -> list[Product]:
    """Products for a visitor's words: those with every word, or where there are none, with any; in a stable order."""
    terms = [word[:MAX_TERM] for word in words_of(query)[:MAX_TERMS]]
    if not terms:
        return []
    every = bool(product_search.matching(connection, terms, every=True, limit=1, offset=0))
    ids = product_search.matching(connection, terms, every=every, limit=limit, offset=offset)
    by_id = Product.objects.in_bulk(ids)
    return [by_id[each] for each in ids]


def cards(query: str, offset: int, limit: int) -> list[Card]:
    """The dialogue's port onto the catalogue."""
    try:
        with transaction.atomic():  # a failed query must not take the turn's own transaction with it
            return [card_of(product) for product in found(query, limit=limit, offset=offset)]
    except DatabaseError as problem:
        raise CatalogueUnavailableError from problem


def card_of(product: Product) -> Card:
    return Card(
        id=product.pk,
        title=product.name,
        description=product.description,
        price=None if product.price is None else f"{product.price.normalize():f}",
        currency=product.currency or None,
        url=product.url or None,
        image_url=product.image_url or None,
    )


def title_of(product_id: str | None) -> str | None:
    """The name of a product somebody clicked, if we have it."""
    if product_id is None:
        return None
    return Product.objects.filter(pk=product_id).values_list("name", flat=True).first()


def is_unknown(product_id: str | None) -> bool:
    """Whether our catalogue lacks what somebody chose; where it is empty, the items are the caller's own to know."""
    if product_id is None or Product.objects.filter(pk=product_id).exists():
        return False
    return Product.objects.exists()


def vocabulary() -> frozenset[str]:
    """The words of the catalogue, by which a search is told from gibberish; read anew when it changes."""
    stand = Product.objects.aggregate(newest=Max("updated_at"), size=Count("pk"))
    return words_as_of(str(stand["newest"]), stand["size"])


@lru_cache(maxsize=2)
def words_as_of(newest: str, size: int) -> frozenset[str]:
    texts = Product.objects.values_list("name", "tags")[:MAX_VOCABULARY]
    return frozenset(word for name, tags in texts for word in words_of(" ".join((name, *tags))))
