"""Short words for publishing flows and talking to them over the API."""

import json
from typing import Any

from tests.cast import Actor, accepted
from tests.flows.engine.support import asker, policy, teller

SLUG = "contact"
Document = dict[str, Any]


def contact_flow(**keys: Any) -> Document:
    """Greets, asks for an email address twice at most, then hands over; `keys` replace top-level ones."""
    ask = asker(
        "mail-1",
        ["email"],
        ["CONTACT"],
        prompts=["Your email address?", "It looks like name@host."],
        retryPolicy=policy(2, "HANDOFF", promptVariantStrategy="ROTATE"),
    )
    return {
        "name": "Contact",
        "primaryGoal": {"type": "GATE", "gate": "CONTACT"},
        "gateDefinitions": {"CONTACT": {"satisfiedBy": {"metricsAll": ["contact_email"]}}},
        "factAliases": {"email": "contact_email"},
        "facts": {"contact_email": {"type": "email"}},
        "nodes": [teller(importance="high", prompts=["Hello."]), ask],
        **keys,
    }


def created(editor: Actor, document: Document | None = None, *, slug: str = SLUG) -> Document:
    body = {"slug": slug, "name": "Contact", "definition": contact_flow() if document is None else document}
    return accepted(editor.post("/flows", body), 201)


def published(editor: Actor, document: Document | None = None, *, slug: str = SLUG) -> Document:
    """A flow with one version."""
    created(editor, document, slug=slug)
    return accepted(editor.post(f"/flows/{slug}/publish", {"note": "first"}), 201)


def saved(editor: Actor, document: Document, *, slug: str = SLUG) -> Document:
    return accepted(put(editor, f"/flows/{slug}/draft", document))


def put(actor: Actor, path: str, document: Any, **headers: str) -> Any:
    return actor.call("PUT", path, data=json.dumps(document), content_type="application/json", headers=headers)


def codes(findings: list[Document]) -> set[tuple[str, str]]:
    """What was found, and where."""
    return {(finding["code"], finding["path"]) for finding in findings}


class Visitor:
    """Somebody in a flow's conversation; message ids count up by themselves."""

    def __init__(self, router: Actor, path: str) -> None:
        self.router, self.path, self.said = router, path, 0

    def say(self, text: str = "", **content: Any) -> Document:
        self.said += 1
        body = {"message_id": f"m{self.said}", "text": text, **content}
        return accepted(self.router.post(f"{self.path}/turns", body))

    def runtime(self) -> Document:
        return accepted(self.router.get(f"{self.path}/runtime"))


def heard(answer: Document) -> list[tuple[str, str]]:
    return [(decision["nodeId"], decision["mode"]) for decision in answer["decisions"]]
