"""Words go when their time is over, events never: the retention policy and the job that carries it out."""

import logging
from datetime import datetime

from django.db import OperationalError, transaction

from audit.models import RetentionPolicy, RetentionRun
from audit.selectors.retention import cutoff_of, due_conversations, retention_in_force
from conversations.domain.errors import InvalidTermsError, NotErasableError
from conversations.models import Relationship
from conversations.services.erasure import erase_payloads

SYSTEM = "system"
MAX_DAYS = 36_500
MAX_BASIS = 150
BATCH = 100
log = logging.getLogger(__name__)


def set_retention(*, days: int | None, basis: str, author: str, now: datetime) -> RetentionPolicy:
    """Puts a new version in force; `days` None keeps words."""
    basis = basis.strip()
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise InvalidTermsError(field="days", code="out_of_range", message=f"Between 1 and {MAX_DAYS} days.")
    if days is not None and not 0 < len(basis) <= MAX_BASIS:
        raise InvalidTermsError(
            field="basis", code="required", message=f"Name the legal basis in 1 to {MAX_BASIS} characters."
        )
    with transaction.atomic():
        before = RetentionPolicy.objects.select_for_update().first()
        return RetentionPolicy.objects.create(
            version=before.version + 1 if before else 1,
            days=days,
            basis=basis if days is not None else "",
            author=author,
            created_at=now,
        )


def apply_retention(*, now: datetime, limit: int | None = None) -> RetentionRun | None:
    """Erases the payloads of every conversation whose time is over, each in a transaction of its own.

    Interrupted anywhere, the next run meets what is left: what is due is read from the ledger, not from a list. Returns
    the run, unfinished where the limit ended it or something refused to go; None where words are kept.
    """
    policy = retention_in_force()
    cutoff = cutoff_of(policy, now=now)
    if policy is None or cutoff is None:
        return None
    run = begun(policy, cutoff, now=now)
    erased = stuck = 0
    while limit is None or erased < limit:
        due = list(due_conversations(cutoff=cutoff)[stuck : stuck + BATCH])
        if not due:
            run.finished_at = None if stuck else now
            break
        for relationship in due:
            payloads = erase(relationship, policy, now=now)
            erased += payloads > 0
            stuck += payloads == 0
            run.conversations += payloads > 0
            run.payloads += payloads
        run.save()
    run.save()
    return run


def begun(policy: RetentionPolicy, cutoff: datetime, *, now: datetime) -> RetentionRun:
    """The run that was interrupted goes on, as far as it may by now; else a new one."""
    run = RetentionRun.objects.filter(policy=policy, finished_at=None).first()
    if run is None:
        return RetentionRun.objects.create(policy=policy, cutoff=cutoff, started_at=now)
    run.cutoff = cutoff
    return run


def erase(relationship: Relationship, policy: RetentionPolicy, *, now: datetime) -> int:
    """How many payloads went; one that cannot be erased is told and keeps none of the others waiting."""
    basis = f"retention policy {policy.version}: {policy.basis}"
    try:
        return len(erase_payloads(relationship_id=relationship.pk, seqs=None, basis=basis, by=SYSTEM, now=now))
    except OperationalError:
        raise  # the database is away: the next run goes on
    except NotErasableError:
        return 0  # somebody else was quicker
    except Exception:
        log.exception("retention_left_one", extra={"relationship": str(relationship.pk)})
        return 0
