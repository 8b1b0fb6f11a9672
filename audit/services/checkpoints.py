"""Signed roots, kept in the table and outside of it: every minute, or every thousand events."""

import logging
from datetime import datetime

import httpx
from django.conf import settings

from audit.errors import ForkError
from audit.ledger import notes
from audit.models import Checkpoint
from audit.selectors.tree import root_at, tree_size
from audit.services import keys, outside, sequencer
from conversations.domain.times import to_text
from conversations.services.locks import only_writer

EVERY_EVENTS = 1000
POST_TIMEOUT_SECONDS = 10
POST_BATCH = 100
log = logging.getLogger(__name__)


def checkpoint_due() -> bool:
    """Whether enough events were numbered since the last checkpoint to sign one before the minute is over."""
    newest = Checkpoint.objects.values_list("size", flat=True).first() or 0
    return tree_size() - newest >= EVERY_EVENTS


def make_checkpoint(*, now: datetime) -> Checkpoint | None:
    """Numbers what waits, signs the root if the tree has grown, and publishes what is not yet outside.

    Refuses to sign a tree that does not continue what was already published. Returns the newest checkpoint.
    """
    sequencer.sequence(wait=True)
    with only_writer(wait=True):
        newest = Checkpoint.objects.first()
        size = tree_size()
        refuse_fork(size)
        if size > (newest.size if newest else 0):
            newest = sign(size, now=now)
    # only what is committed may be published: the outside must never be ahead of the database
    with only_writer(wait=True):
        write_outside()
    if settings.LASTWORD_CHECKPOINT_URL:
        post(settings.LASTWORD_CHECKPOINT_URL, now=now)
    return newest


def sign(size: int, *, now: datetime) -> Checkpoint:
    signer = keys.signer(now=now)
    head = notes.TreeHead(origin=signer.origin, size=size, root=root_at(size), at=to_text(now))
    return Checkpoint.objects.create(
        size=size,
        root=head.root.hex(),
        note=notes.sign(head, signer.private_key),
        key_id=signer.key_id,
        created_at=now,
    )


def refuse_fork(size: int) -> None:
    """The last note outside must be a prefix of this tree: the cheap half of what `audit_verify` checks."""
    head = last_outside()
    if head and (head.size > size or root_at(head.size) != head.root):
        raise ForkError(
            f"the outside checkpoint at {head.size} is not part of this database's log of {size}: "
            "run `manage.py audit_verify`"
        )


def write_outside() -> None:
    """Appends every checkpoint that the file does not have yet, as after a crash or on a new disk."""
    head = last_outside()
    missing = Checkpoint.objects.filter(size__gt=head.size if head else 0).order_by("size")
    outside.append(settings.LASTWORD_CHECKPOINT_FILE, missing.values_list("note", flat=True))


def last_outside() -> notes.TreeHead | None:
    text = outside.last_note(settings.LASTWORD_CHECKPOINT_FILE)
    try:
        return notes.parse(text).head if text is not None else None
    except notes.NoteError as problem:
        raise ForkError(f"the last outside checkpoint is unreadable: {problem}") from problem


def post(url: str, *, now: datetime) -> None:
    """Posts in order and stops at the first failure; the next run goes on from there."""
    for checkpoint in Checkpoint.objects.filter(posted_at=None).order_by("size")[:POST_BATCH]:
        try:
            httpx.post(
                url,
                content=checkpoint.note.encode(),
                headers={"Content-Type": "text/plain; charset=utf-8"},
                timeout=POST_TIMEOUT_SECONDS,
            ).raise_for_status()
        except httpx.HTTPError as problem:
            log.warning("checkpoint_post_failed", extra={"size": checkpoint.size, "problem": str(problem)})
            return
        Checkpoint.objects.filter(pk=checkpoint.pk, posted_at=None).update(posted_at=now)
