"""Labelling conversations, and drawing which ones to label so that the figures are honest."""

from datetime import datetime
from random import Random
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min, QuerySet

from audit.models import LabelFrame, LabelSample, LoopLabel
from audit.services.loop_cases import refresh_cases
from conversations.domain.errors import InvalidTermsError
from conversations.models import LoopFinding, Relationship
from conversations.selectors.relationships import locked
from conversations.services.locks import LABEL_SAMPLES, only_writer

ALARMED, QUIET = "alarmed", "quiet"
SAMPLE = {ALARMED: 50, QUIET: 10}


def label_conversation(
    *, relationship_id: UUID, is_loop: bool, finding_id: UUID | None, note: str, reviewer: str, now: datetime
) -> LoopLabel:
    """Records what a reviewer says of a finding, or of a conversation as a whole: also a loop nobody found."""
    with transaction.atomic():
        relationship = locked(relationship_id)
        finding = finding_of(relationship, finding_id)
        mine = LoopLabel.objects.filter(
            relationship=relationship, finding=finding, reviewer=reviewer, superseded_at=None
        )
        mine.update(superseded_at=now)
        label = LoopLabel.objects.create(
            relationship=relationship, finding=finding, is_loop=is_loop, note=note, reviewer=reviewer, created_at=now
        )
        refresh_cases([relationship.pk])
        return label


def finding_of(relationship: Relationship, finding_id: UUID | None) -> LoopFinding | None:
    if finding_id is None:
        return None
    found = LoopFinding.objects.filter(pk=finding_id, relationship=relationship).first()
    if found is None:
        raise InvalidTermsError(
            field="finding_id", code="unknown_finding", message="This conversation has no such finding."
        )
    return found


def draw_samples(*, now: datetime) -> int:
    """Draws from what happened since the last draw: alarmed conversations and, at a lower rate, quiet ones.

    Frames never overlap, so a conversation is stood for once: a case weighs its frame's population over the cases
    labelled in it. Returns how many were drawn.
    """
    with only_writer(wait=True, of=LABEL_SAMPLES):
        return sum(draw(stratum, now=now) for stratum in (ALARMED, QUIET))


def draw(stratum: str, *, now: datetime) -> int:
    since = LabelFrame.objects.filter(stratum=stratum).aggregate(last=Max("until"))["last"]
    members = list(unlabelled(stratum, since=since, until=now).order_by("pk").values_list("pk", flat=True))
    if not members:
        return 0
    frame = LabelFrame.objects.create(stratum=stratum, since=since, until=now, population=len(members))
    # seeded by the frame: who draws cannot choose
    chosen = Random(frame.pk).sample(members, min(len(members), SAMPLE[stratum]))  # noqa: S311 a sample, no secret
    newest_first = LoopFinding.objects.filter(relationship__in=chosen).order_by("-seq")
    firsts = {found.relationship_id: found for found in newest_first}
    LabelSample.objects.bulk_create(
        LabelSample(frame=frame, relationship_id=member, finding=firsts.get(member)) for member in chosen
    )
    refresh_cases(chosen)  # somebody may have labelled one meanwhile
    return len(chosen)


def unlabelled(stratum: str, *, since: datetime | None, until: datetime) -> QuerySet[Relationship]:
    """The conversations of a frame: alarmed, or ended without an alarm, in a period, and not looked at yet."""
    rows = Relationship.objects.filter(loop_labels=None, label_sample=None)
    if stratum == ALARMED:
        rows = rows.annotate(first_found=Min("loop_findings__found_at")).filter(first_found__lte=until)
        return rows.filter(first_found__gt=since) if since else rows
    rows = rows.filter(loop_findings=None, closed_at__lte=until, loop_watch__isnull=False)
    return rows.filter(closed_at__gt=since) if since else rows
