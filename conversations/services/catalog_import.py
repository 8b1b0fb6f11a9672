"""Bringing a whole catalogue in, batch by batch, from where the last import stopped."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from conversations.catalog_sources.port import Batch, Refused, Source, SourceError
from conversations.models import CatalogImport
from conversations.services.catalog import upsert_products

MAX_REFUSED_KEPT = 100


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What came of an import; `problem` says why it stopped early, if it did."""

    first_page: int
    imported: int
    refused: tuple[Refused, ...]
    refused_count: int
    problem: str | None = None


def import_catalog(source: Source) -> ImportReport:
    """Writes every batch of a source. Each goes in whole with the position after it, or not at all.

    After a stop the next import begins with the last page that went in: repeating it costs nothing and finds what
    moved over the page's edge meanwhile.
    """
    position = CatalogImport.objects.filter(pk=source.key).first()
    first_page = position.page if position else 1
    imported, refused_count, problem = 0, 0, None
    refused: list[Refused] = []
    try:
        for batch in source.batches(page=first_page):
            imported += written(batch, key=source.key)
            refused_count += len(batch.refused)
            refused += batch.refused[: MAX_REFUSED_KEPT - len(refused)]
    except SourceError as stop:
        problem = str(stop)
    else:
        CatalogImport.objects.filter(pk=source.key).delete()
    return ImportReport(first_page, imported, tuple(refused), refused_count, problem)


def written(batch: Batch, *, key: str | None) -> int:
    with transaction.atomic():
        if key is not None:
            stand = {"page": batch.page, "updated_at": timezone.now()}
            CatalogImport.objects.update_or_create(pk=key, defaults=stand)
        return upsert_products(batch.products)
