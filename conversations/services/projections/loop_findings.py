"""Loop findings as their events say."""

from collections.abc import Iterable
from decimal import Decimal

from conversations.domain.events import Recorded
from conversations.domain.loops import FOUND
from conversations.models import LoopFinding, Relationship


def apply(relationship: Relationship, event: Recorded) -> None:
    """One event, one finding."""
    told = event.content
    LoopFinding.objects.create(
        pk=told["finding_id"],
        relationship=relationship,
        seq=event.seq,
        rule=told["rule"],
        loop_type=told["loop_type"],
        action=told["action"],
        confidence=Decimal(told["confidence"]),
        unit=told["unit"],
        evidence=told["evidence"],
        window_start=told["window"][0],
        window_end=told["window"][1],
        detail=told["detail"],
        level=told["level"],
        policy_version=told["policy_version"],
        handoff_id=told["handoff_id"],
        found_at=event.at,
    )


def rewrite_words(chain: Iterable[Recorded]) -> None:
    """Lets each finding say what its event still says, as after an erasure."""
    for event in chain:
        if event.type == FOUND:
            LoopFinding.objects.filter(pk=event.content["finding_id"]).update(detail=event.content.get("detail", ""))
