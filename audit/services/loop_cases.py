"""The stored cases of the accuracy figures, kept up with labels, draws and the log."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction

from audit.models import LoopCase, LoopLabel
from audit.selectors.case_rows import case_rows
from conversations.models import Relationship

COLUMNS = [field.name for field in LoopCase._meta.fields if not field.primary_key]


def refresh_cases(ids: Collection[UUID]) -> None:
    """Writes the cases of those of these conversations that are labelled anew. Twice is as good as once.

    Their rows are locked first, as a label locks them: what is read here is still true when it is written.
    """
    with transaction.atomic():
        labelled = LoopLabel.objects.filter(relationship__in=ids).values("relationship")
        rows = Relationship.objects.select_for_update(no_key=True).filter(pk__in=labelled).order_by("pk")
        LoopCase.objects.bulk_create(
            case_rows(list(rows.values_list("pk", flat=True))),
            update_conflicts=True,
            unique_fields=["relationship"],
            update_fields=COLUMNS,
            batch_size=500,
        )
