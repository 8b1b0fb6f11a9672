"""The flows that come with the product."""

import json
from pathlib import Path

from django.db import transaction

from flows.models import Flow, FlowVersion
from flows.services.drafts import create_flow
from flows.services.publishing import publish

FOLDER = Path(__file__).resolve().parents[1] / "examples"
AUTHOR = "Lastword"


def load_examples(*, author: str = AUTHOR) -> list[FlowVersion]:
    """Publishes every example whose name is still free; gives what was published."""
    found = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}
    taken = set(Flow.objects.filter(slug__in=found).values_list("slug", flat=True))
    return [published(slug, path, author=author) for slug, path in found.items() if slug not in taken]


@transaction.atomic
def published(slug: str, path: Path, *, author: str) -> FlowVersion:
    definition = json.loads(path.read_text(encoding="utf-8"))
    create_flow(slug=slug, name=definition["name"], definition=definition, author=author)
    return publish(slug=slug, author=author, note="The example as it ships")
