"""Somebody with the database owner's password: lifts the triggers and rewrites history, more or less thoroughly."""

from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils import timezone

from audit.ledger import notes
from audit.models import Checkpoint, Leaf, MerkleNode, SigningKey
from audit.selectors.tree import root_at, tree_size
from audit.services import keys, outside, sequencer
from conversations.domain.hash_chain import GENESIS, Header, commitment, header_hash
from conversations.domain.times import to_text
from conversations.models import Event, EventPayload, OutboxMessage, Relationship
from tests.ledger_guards import ledger_guards_lifted

SALT = b"s" * 32


def edit(event: Event, **columns: Any) -> None:
    """Changes columns of one event and nothing else."""
    with ledger_guards_lifted():
        Event.objects.filter(pk=event.pk).update(**columns)


def edit_payload(event: Event, text: str) -> None:
    with ledger_guards_lifted():
        EventPayload.objects.filter(event=event).update(text=text)


def recommit(event: Event, text: str) -> None:
    """Changes a payload and the commitment to it; the hash still tells."""
    with ledger_guards_lifted():
        EventPayload.objects.filter(event=event).update(text=text, salt=SALT)
        Event.objects.filter(pk=event.pk).update(commitment=commitment(SALT, text))


def header_of(event: Event, *, prev: str) -> str:
    return Header(
        relationship=str(event.relationship_id),
        seq=event.seq,
        type=event.type,
        at=to_text(event.at),
        actor=event.actor,
        commitment=event.commitment,
        prev=prev,
    ).text()


def rehash_one(event: Event) -> None:
    """Makes one event's hash fit its columns; the leaf too."""
    header = header_of(event, prev=event.prev_hash)
    edit(event, header=header, hash=header_hash(header))
    with ledger_guards_lifted():
        Leaf.objects.filter(event=event).update(hash=header_hash(header))


def rechain(relationship_id: UUID) -> None:
    """Makes every hash, link, leaf and the head of a relationship fit what its events now say."""
    with ledger_guards_lifted():
        for event in Event.objects.filter(relationship=relationship_id):
            Event.objects.filter(pk=event.pk).update(prev_hash=f"x{event.pk}")  # links are unique, also half-way
        prev, seq = GENESIS, 0
        for event in Event.objects.filter(relationship=relationship_id).order_by("seq"):
            header = header_of(event, prev=prev)
            Event.objects.filter(pk=event.pk).update(header=header, prev_hash=prev, hash=header_hash(header))
            prev, seq = header_hash(header), event.seq
            Leaf.objects.update_or_create(event=event, defaults={"hash": prev})
        Relationship.objects.filter(pk=relationship_id).update(head_hash=prev, head_seq=seq)


def regrow() -> None:
    """Numbers all leaves anew and stores the tree they make."""
    with ledger_guards_lifted():
        MerkleNode.objects.all().delete()
        Leaf.objects.update(index=None)
    sequencer.sequence(wait=True)


def delete(events: Any) -> None:
    """Events with all that hangs on them."""
    with ledger_guards_lifted():
        for kind in (EventPayload, OutboxMessage, Leaf):
            kind.objects.filter(event__in=events).delete()
        events.delete()


def delete_relationship(victim: Relationship) -> None:
    """The row of a relationship without events, with every row that still points at it."""
    for related in victim._meta.related_objects:
        related.related_model.objects.filter(**{related.field.name: victim}).delete()
    Relationship.objects.filter(pk=victim.pk).delete()


def resign(key: Ed25519PrivateKey | None = None) -> str:
    """Replaces the table's checkpoints by a new one over the present tree; with another key, puts that on record."""
    private_key = key or keys.private_key()
    head = notes.TreeHead(
        origin=keys.origin_of(keys.trusted_keys(keys.public_key())),
        size=tree_size(),
        root=root_at(tree_size()),
        at=to_text(timezone.now()),
    )
    note = notes.sign(head, private_key)
    public = private_key.public_key().public_bytes_raw()
    with ledger_guards_lifted():
        Checkpoint.objects.all().delete()
        SigningKey.objects.get_or_create(public_key=public.hex(), defaults={"created_at": timezone.now()})
        Checkpoint.objects.create(
            size=head.size,
            root=head.root.hex(),
            note=note,
            key_id=notes.key_id(head.origin, public).hex(),
            created_at=timezone.now(),
        )
    return note


def suppress_outside(note: str) -> None:
    """Gets hold of the file outside as well."""
    settings.LASTWORD_CHECKPOINT_FILE.unlink()
    outside.append(settings.LASTWORD_CHECKPOINT_FILE, [note])
