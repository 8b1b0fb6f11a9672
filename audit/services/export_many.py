"""Bundles of more than one conversation: a lineage, or everything a period touched. Bounded, and said so."""

from datetime import datetime, timedelta
from uuid import UUID

from audit.models import EventEntry
from audit.search.moments import first_key
from audit.services import indexing, sequencer
from audit.services.export import MANY, bundle_of
from conversations.domain.errors import InvalidTermsError
from conversations.domain.times import to_text
from conversations.models import Event, Relationship
from conversations.selectors.relationships import lineage

MAX_DAYS = 31
MAX_CONVERSATIONS = 500
MAX_EVENTS = 50_000


def export_lineage(relationship: Relationship, *, now: datetime) -> bytes:
    """A conversation with all that it continues and all that continues it, oldest first."""
    family = [member.pk for member in lineage(relationship)]
    return many(family, {"kind": "lineage", "of": str(relationship.pk)}, now=now)


def export_period(*, since: datetime, until: datetime, now: datetime) -> bytes:
    """Every conversation with an event in [since, until), each with its whole chain: half a chain proves nothing."""
    check_period(since=since, until=until)
    sequencer.sequence(wait=True)
    indexing.index_events(wait=True)
    touched = EventEntry.objects.filter(key__gte=first_key(since), key__lt=first_key(until)).order_by("relationship")
    found = list(touched.values_list("relationship_id", flat=True).distinct()[: MAX_CONVERSATIONS + 1])
    return many(found, {"kind": "period", "since": to_text(since), "until": to_text(until)}, now=now)


def check_period(*, since: datetime, until: datetime) -> None:
    if since >= until:
        raise InvalidTermsError(field="until", code="backwards", message="The period ends before it begins.")
    if until - since > timedelta(days=MAX_DAYS):
        raise InvalidTermsError(
            field="until", code="too_long", message=f"A bundle covers at most {MAX_DAYS} days; take several."
        )


def many(relationships: list[UUID], scope: dict[str, str], *, now: datetime) -> bytes:
    if not relationships:
        raise InvalidTermsError(field="since", code="nothing", message="Nothing happened in this period.")
    if len(relationships) > MAX_CONVERSATIONS:
        raise InvalidTermsError(
            field="until",
            code="too_many",
            message=f"These are more than {MAX_CONVERSATIONS} conversations; take a shorter period.",
        )
    if Event.objects.filter(relationship__in=relationships).count() > MAX_EVENTS:
        raise InvalidTermsError(
            field="until", code="too_many", message=f"These are more than {MAX_EVENTS} events; take a shorter period."
        )
    head = {"format": MANY, "scope": scope, "relationships": [str(key) for key in relationships]}
    return bundle_of(relationships, head, now=now)
