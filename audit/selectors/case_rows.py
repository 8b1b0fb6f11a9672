"""What a labelled conversation is to the accuracy figures, worked out from labels, findings and samples."""

from collections import defaultdict
from collections.abc import Collection
from uuid import UUID

from audit.metrics.consensus import Opinion, consensus
from audit.models import LabelSample, LoopCase, LoopLabel
from audit.selectors.policy_versions import version_in_force
from conversations.models import LoopFinding, LoopWatch, Relationship


def case_rows(ids: Collection[UUID]) -> list[LoopCase]:
    """The cases of those conversations among these that somebody labelled, unsaved. A handful of queries."""
    opinions = opinions_on(ids)
    chosen = list(opinions)
    if not chosen:
        return []
    first = first_findings(chosen)
    peaks = dict(LoopWatch.objects.filter(pk__in=chosen).values_list("pk", "peak"))
    frames = dict(LabelSample.objects.filter(relationship__in=chosen).values_list("relationship_id", "frame_id"))
    version_at = version_in_force()
    rows = Relationship.objects.filter(pk__in=chosen).order_by().values_list("pk", "created_at", "channel", "flow_slug")
    return [
        LoopCase(
            relationship_id=key,
            is_loop=consensus(opinions[key]),
            readers=len({opinion.reviewer for opinion in opinions[key]}),
            detected=key in first,
            begun=begun,
            channel=channel,
            flow=flow or "",
            rule=first[key].rule if key in first else "",
            policy_version=first[key].policy_version if key in first else version_at(begun),
            peak=peaks.get(key, 0),
            lag=first[key].window_end - first[key].window_start if key in first else None,
            frame_id=frames.get(key),
        )
        for key, begun, channel, flow in rows
    ]


def opinions_on(ids: Collection[UUID]) -> dict[UUID, list[Opinion]]:
    told: dict[UUID, list[Opinion]] = defaultdict(list)
    labels = LoopLabel.objects.filter(superseded_at=None, relationship__in=ids)
    for key, reviewer, is_loop, at in labels.values_list("relationship_id", "reviewer", "is_loop", "created_at"):
        told[key].append(Opinion(reviewer, is_loop, at))
    return told


def first_findings(ids: Collection[UUID]) -> dict[UUID, LoopFinding]:
    """The first finding of each of these conversations, as far as a case needs it."""
    needed = ("relationship_id", "rule", "policy_version", "window_start", "window_end")
    newest_first = LoopFinding.objects.filter(relationship__in=ids).order_by("-seq").only(*needed)
    return {found.relationship_id: found for found in newest_first}
