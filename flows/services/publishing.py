"""Publishing: checked on the server, numbered under lock, immutable ever after."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from flows.engine.diff import content_hash
from flows.engine.validation import validate
from flows.engine.wording import sentence
from flows.errors import FlowInvalidError, ScriptsFailedError
from flows.models import Flow, FlowVersion
from flows.selectors.flows import locked_flow, version_by
from flows.services.drafts import check_revision
from flows.services.scripts import failing_scripts


def publish(*, slug: str, author: str, note: str = "", read_revision: int | None = None) -> FlowVersion:
    """Makes the draft a version, unless a check finds an error or a saved conversation ends differently."""
    with transaction.atomic():
        flow = locked_flow(slug)
        check_revision(flow, read_revision)
        check_sound(flow.draft)
        if failed := failing_scripts(flow, flow.draft):
            raise ScriptsFailedError(f"{len(failed)} saved conversation(s) end differently.", scripts=failed)
        return next_version(flow, flow.draft, author=author, note=note)


def rollback(*, slug: str, version: int, author: str) -> FlowVersion:
    """Publishes an old version's content as a new one; the numbers only ever go up.

    Saved conversations do not stand in the way: they were kept for what came later, and this is the way out of it.
    """
    with transaction.atomic():
        flow = locked_flow(slug)
        old = version_by(slug, version)
        check_sound(old.definition)
        return next_version(flow, old.definition, author=author, note=f"Back to version {version}")


def check_sound(definition: dict[str, Any]) -> None:
    report = validate(definition)
    if not report.ok:
        raise FlowInvalidError(sentence("The definition has errors."), report.findings)


def next_version(flow: Flow, definition: dict[str, Any], *, author: str, note: str) -> FlowVersion:
    newest = flow.versions.order_by("-version").values_list("version", flat=True).first() or 0
    return FlowVersion.objects.create(
        flow=flow,
        version=newest + 1,
        definition=definition,
        hash=content_hash(definition),
        note=note,
        author=author,
        created_at=timezone.now(),
    )
