"""The second lock: guards that look across threads (cooldown, active threads) decide and record one at a time.

Order, for everybody: participants' rows are made before any lock; then the relationship's row; then this row; nobody
who holds this one waits for another. Its holder may read and move personas and threads beside its own.
"""

import logging
from collections.abc import Iterable

from conversations.models import GuardScope
from guards.policies.verdict import Verdict

THREADS = "threads"
log = logging.getLogger(__name__)


def enter_guard_scope() -> None:
    """Waits for the scope and holds it until the transaction ends. SQLite's single writer has it already."""
    GuardScope.objects.select_for_update().get_or_create(name=THREADS)


def log_refusal(code: str | None, verdicts: Iterable[Verdict]) -> None:
    """The line seed 004 tells people to watch for, of the guard that decided."""
    decisive = next((verdict for verdict in verdicts if not verdict.allowed and verdict.code == code), None)
    if decisive is not None:
        log.warning("%s", decisive.log_line)
