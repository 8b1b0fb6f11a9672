"""A conversation's talk, with the names of who spoke."""

from collections.abc import Iterable

from django.contrib.auth import get_user_model

from conversations.domain.events import Recorded
from conversations.domain.transcript import Cast, Line, lines_of
from conversations.models import ApiKey, Relationship
from conversations.selectors.events import chain_of

# How many events a page begins with; earlier ones are a click away.
WINDOW = 200


def transcript(relationship: Relationship, *, after_seq: int, limit: int | None = None) -> list[Line]:
    """The lines after a sequence number, up to the head the conversation was read with: what was said since is news,
    and a page that showed it already would show it twice."""
    chain = chain_of(relationship, after_seq=after_seq, limit=limit)
    events = [event for event in chain if event.seq <= relationship.head_seq]
    return lines_of(events, cast_of(relationship, events))


def ids_of(kind: str, events: Iterable[Recorded]) -> set[str]:
    """The ids of one kind of actor among those who acted."""
    return {event.actor.partition(":")[2] for event in events if event.actor.startswith(f"{kind}:")}


def cast_of(relationship: Relationship, events: Iterable[Recorded]) -> Cast:
    """Who is behind the ledger's opaque names: the parties, and our own people."""
    parties = (relationship.initiator, relationship.responder)
    known = {party.actor: party.handle for party in parties}
    if people := ids_of("user", events):
        known |= {f"user:{user.pk}": user.get_username() for user in get_user_model().objects.filter(pk__in=people)}
    if keys := ids_of("key", events):
        known |= {f"key:{key.pk}": key.name for key in ApiKey.objects.filter(pk__in=keys)}
    return Cast(relationship.initiator.handle, relationship.responder.handle, known)
