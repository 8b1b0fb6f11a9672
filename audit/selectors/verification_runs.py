"""What is known of the ledger's soundness."""

from dataclasses import dataclass
from datetime import datetime

from audit.models import VerificationRun
from audit.selectors.people import names_of

Status = VerificationRun.Status
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Integrity:
    """How the last finished verification ended."""

    status: str
    broken: int
    at: datetime | None


@dataclass(frozen=True, slots=True)
class RunPage:
    """Runs with the name of who asked, newest first; `older` is where the next page begins."""

    runs: list[tuple[VerificationRun, str]]
    older: datetime | None


def runs_before(moment: datetime | None = None) -> RunPage:
    """The latest runs, or the latest before a moment: every one ever asked for can be leafed to."""
    rows = VerificationRun.objects.all()
    found = list((rows if moment is None else rows.filter(created_at__lt=moment))[: SHOWN + 1])
    shown = found[:SHOWN]
    names = names_of(run.asked_by for run in shown)
    return RunPage(
        runs=[(run, names.get(run.asked_by, run.asked_by)) for run in shown],
        older=shown[-1].created_at if len(found) > SHOWN else None,
    )


def last_known() -> Integrity | None:
    """What the newest finished run found; nothing before the first."""
    last = VerificationRun.objects.exclude(status__in=VerificationRun.INCONCLUSIVE).first()
    return last and Integrity(last.status, last.report.get("broken", 0), last.finished_at)
