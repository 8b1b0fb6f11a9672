"""How many conversations each version of a flow drives now."""

from collections import defaultdict

from django.db.models import Count

from conversations.domain.relationship import ConversationState
from conversations.models import Relationship


def running_by_version(slug: str | None = None) -> dict[str, dict[int, int]]:
    """How many conversations run on each version of each flow, or of one."""
    active = Relationship.objects.filter(conversation_state=ConversationState.ACTIVE, flow_slug__isnull=False)
    active = active if slug is None else active.filter(flow_slug=slug)
    counted = (
        active.values_list("flow_slug", "flow_version").annotate(Count("pk")).order_by("flow_slug", "flow_version")
    )
    running: dict[str, dict[int, int]] = defaultdict(dict)
    for flow, version, count in counted:
        running[flow][version] = count
    return dict(running)
