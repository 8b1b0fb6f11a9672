"""How far a verification is, told while it reads.

It reads the ledger in one snapshot, from within which nothing can be written that others would see: progress goes
through a connection of its own.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.utils import timezone

from audit.models import VerificationRun

log = logging.getLogger(__name__)


@contextmanager
def progress_of_run(run_id: UUID) -> Iterator[Callable[[int], None]]:
    """Gives a function that notes the percentage and that the run is alive."""
    beside = connections.create_connection(DEFAULT_DB_ALIAS)
    table = beside.ops.quote_name(VerificationRun._meta.db_table)
    id_, now_of = VerificationRun._meta.pk, VerificationRun._meta.get_field("heard_at")

    def tell(percent: int) -> None:
        heard = now_of.get_db_prep_value(timezone.now(), beside)
        try:
            with beside.cursor() as cursor:
                cursor.execute(
                    f"UPDATE {table} SET percent = %s, heard_at = %s WHERE id = %s",  # noqa: S608 our own table
                    [percent, heard, id_.get_db_prep_value(run_id, beside)],
                )
        except DatabaseError:  # a figure on a page is no reason to give up the verification
            log.warning("verification_progress_not_noted")

    try:
        yield tell
    finally:
        beside.close()
