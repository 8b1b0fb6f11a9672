"""Making a flow and changing its draft."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from flows.errors import DraftConflictError, SlugTakenError
from flows.models import Flow
from flows.selectors.flows import locked_flow

MAX_NAME = 200


def create_flow(*, slug: str, name: str, definition: dict[str, Any], author: str) -> Flow:
    """A new flow with its first draft."""
    now = timezone.now()
    try:
        with transaction.atomic():
            return Flow.objects.create(
                slug=slug, name=name, draft=definition, draft_author=author, draft_saved_at=now, created_at=now
            )
    except IntegrityError as problem:
        raise SlugTakenError(f"There is a flow {slug!r} already.", slug=slug) from problem


def save_draft(
    *, slug: str, definition: dict[str, Any], author: str, read_revision: int | None = None, renames: bool = False
) -> Flow:
    """Keeps a draft as it is, broken or not; refused when it was made from an older draft than the one stored.

    `renames` lets the flow be called what its draft is called: whoever edits the name in a form means the flow.
    """
    with transaction.atomic():
        flow = locked_flow(slug)
        check_revision(flow, read_revision)
        flow.draft, flow.draft_author, flow.draft_saved_at = definition, author, timezone.now()
        flow.draft_revision += 1
        if renames and isinstance(name := definition.get("name"), str) and 0 < len(name.strip()) <= MAX_NAME:
            flow.name = name.strip()
        flow.save(update_fields=["name", "draft", "draft_author", "draft_saved_at", "draft_revision"])
        return flow


def check_revision(flow: Flow, read_revision: int | None) -> None:
    """Refuses an act on a draft that is no longer the one the caller read; None asks for no such care."""
    if read_revision is not None and read_revision != flow.draft_revision:
        raise DraftConflictError(
            f"{flow.draft_author} saved the draft meanwhile.",
            author=flow.draft_author,
            saved_at=flow.draft_saved_at.isoformat(),
            revision=flow.draft_revision,
        )
