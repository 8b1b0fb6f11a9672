"""Which conversation a reviewer should look at next."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from audit.models import LabelSample
from conversations.domain.workflow_steps import TAKEN
from conversations.models import Event, LoopFinding

# One sample in five is read by two people, so that their agreement is known.
READ_TWICE = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    """The sample on top, and how many are left."""

    sample: LabelSample | None
    left: int


def waiting_for(reviewer: str, *, skipped: Collection[int] = ()) -> Waiting:
    """Samples this reviewer has not labelled and that need another pair of eyes."""
    rows = pending(reviewer).exclude(pk__in=skipped)
    return Waiting(rows.first(), rows.count())


def pending(reviewer: str) -> QuerySet[LabelSample]:
    """The samples in their order, with what a screen shows of each."""
    given = Q(relationship__loop_labels__superseded_at=None, relationship__loop_labels__isnull=False)
    rows = LabelSample.objects.annotate(
        read=Count("relationship__loop_labels__reviewer", filter=given, distinct=True), turn=F("pk") % READ_TWICE
    )
    rows = rows.filter(Q(read=0) | Q(read=1, turn=0))
    parties = ("relationship__initiator", "relationship__responder", "finding", "frame")
    return rows.exclude(relationship__loop_labels__reviewer=reviewer).select_related(*parties).order_by("pk")


def evidence_seqs(finding: LoopFinding | None) -> list[int]:
    """The events a finding points at; a run's steps are found by their number."""
    if finding is None:
        return []
    if finding.unit == "event":
        return list(finding.evidence)
    taken = Event.objects.filter(relationship=finding.relationship_id, type=TAKEN).order_by("seq")
    seqs = list(taken.values_list("seq", flat=True)[: finding.window_end + 1])
    return [seqs[step] for step in finding.evidence if step < len(seqs)]
