"""Flows and their versions to read."""

from django.db.models import QuerySet

from flows.errors import FlowNotFoundError
from flows.models import Flow, FlowVersion


def flow_by(slug: str) -> Flow:
    found = Flow.objects.filter(slug=slug).first()
    if found is None:
        raise FlowNotFoundError(f"There is no flow {slug!r}.")
    return found


def locked_flow(slug: str) -> Flow:
    """The flow, held by this transaction until it ends."""
    found = Flow.objects.select_for_update().filter(slug=slug).first()
    if found is None:
        raise FlowNotFoundError(f"There is no flow {slug!r}.")
    return found


def versions_of(flow: Flow) -> QuerySet[FlowVersion]:
    return flow.versions.select_related("flow").order_by("-version")


def version_by(slug: str, version: int) -> FlowVersion:
    found = FlowVersion.objects.select_related("flow").filter(flow__slug=slug, version=version).first()
    if found is None:
        raise FlowNotFoundError(f"Flow {slug!r} has no version {version}.")
    return found


def published_slugs() -> list[str]:
    """The flows a new conversation can run on."""
    return list(Flow.objects.filter(versions__isnull=False).order_by("slug").values_list("slug", flat=True).distinct())


def newest_version(slug: str) -> FlowVersion:
    """What a new conversation of this flow runs on."""
    found = FlowVersion.objects.select_related("flow").filter(flow__slug=slug).order_by("-version").first()
    if found is None:
        raise FlowNotFoundError(f"Flow {slug!r} is not published.")
    return found
