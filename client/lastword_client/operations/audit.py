"""The chain behind a conversation: read it, check it, take it away."""

from typing import Any

from lastword_client.answers import Answer, Event, Head, ServerVerification
from lastword_client.bundle import sealed_events
from lastword_client.chain import Verification, check_chain
from lastword_client.core import Core
from lastword_client.errors import Forbidden
from lastword_client.operations.pages import page_of
from lastword_client.operations.paths import of_relationship
from lastword_client.plan import Plan


def events(core: Core, relationship_id: str, after_seq: int = 0) -> Plan[tuple[Event, ...]]:
    """Every event after a sequence number, in order."""
    found, _ = yield from _chain(core, relationship_id, after_seq)
    return found


def verify(core: Core, relationship_id: str) -> Plan[Verification]:
    """The server's verification and this side's own: hashes computed anew, kept receipts compared.

    A participant's key may ask for neither the server's nor the bundle: its links and receipts are compared.
    """
    # taken first: a receipt that arrives while the chain is being read may be of an event read too early
    receipts = core.receipts.of(relationship_id)
    try:
        server = yield from core.fetch(
            core.get(of_relationship(relationship_id, "verify")),
            ServerVerification.read,
            relationship=relationship_id,
        )
    except Forbidden:
        server = None
    found, head = yield from _chain(core, relationship_id, 0)
    sealed = None if server is None else sealed_events((yield from export(core, relationship_id)))
    local = check_chain(relationship_id, found, head=head, receipts=receipts, sealed=sealed)
    return Verification(server=server, local=local)


def export(core: Core, relationship_id: str) -> Plan[bytes]:
    """The signed bundle (a zip) that `lastword-verify` checks offline."""
    reply = yield from core.exchange(core.get(of_relationship(relationship_id, "export")))
    return reply.content


def _chain(core: Core, relationship_id: str, after_seq: int) -> Plan[tuple[tuple[Event, ...], Head | None]]:
    """All events after `after_seq` and the head they were read under."""
    path = of_relationship(relationship_id, "events")
    found: list[Event] = []
    while True:
        page = yield from core.fetch(core.get(path, after_seq=after_seq), _events_page, relationship=relationship_id)
        results, head = page
        found.extend(results)
        if not results or head is None or results[-1].seq >= head.seq:
            return tuple(found), head
        after_seq = results[-1].seq


def _events_page(document: Any) -> tuple[tuple[Event, ...], Head | None]:
    head = Answer.read(document).raw.get("head")
    return page_of(Event.read)(document).results, None if head is None else Head.read(head)
