"""Filling the catalogue."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated

from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from conversations.domain.intents.text import words_of
from conversations.models import Product

BATCH = 200
REPLACED = [field.name for field in Product._meta.concrete_fields if not field.primary_key]


def price(value: object) -> object:
    """A number, or the text of one, as shops send it."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return value
    try:
        return Decimal(str(value))
    except InvalidOperation as problem:
        raise ValueError("a price") from problem


Price = Annotated[Decimal, BeforeValidator(price), Field(ge=0, max_digits=14, decimal_places=4)]
Url = Annotated[str, StringConstraints(max_length=2000, pattern=r"^(https?://\S+)?$")]
Tag = Annotated[str, StringConstraints(max_length=100)]


class ProductData(BaseModel):
    """A product as the catalogue takes it, whoever brings it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    name: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    description: Annotated[str, StringConstraints(max_length=10_000)] = ""
    price: Price | None = None
    currency: Annotated[str, StringConstraints(pattern=r"^([A-Z]{3})?$")] = ""
    url: Url = ""
    image_url: Url = ""
    tags: Annotated[tuple[Tag, ...], Field(max_length=100, strict=False)] = ()


def upsert_products(products: Sequence[ProductData]) -> int:
    """Adds what is new and replaces what is known, by the shop's own ids; all of them or none."""
    now = timezone.now()
    rows = {
        each.id: Product(**{**each.model_dump(), "tags": list(each.tags)}, words=searched(each), updated_at=now)
        for each in products
    }
    # in one order, so that two imports of the same products wait for each other instead of locking each other out
    ordered = [rows[key] for key in sorted(rows)]
    with transaction.atomic():
        Product.objects.bulk_create(
            ordered, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=REPLACED
        )
    return len(rows)


def searched(product: ProductData) -> str:
    """What the search reads: name and tags on the first line, which counts most, the description on the second."""
    title = words_of(" ".join((product.name, *product.tags)))
    return " ".join(title) + "\n" + " ".join(words_of(product.description))
