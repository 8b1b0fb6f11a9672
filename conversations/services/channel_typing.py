"""That the operator writes, told where the visitor is: a sign for the moment, given once, at once or not at all.

No outbox and no second try: what the outbox is for, that nothing said gets lost, would be wrong for a sign.
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import httpx
from django.db import close_old_connections

from conversations.channels.registry import ADAPTERS
from conversations.domain.relationship import OwnerKind
from conversations.domain.typing import is_stale, sign_due
from conversations.models import ChannelConversation
from conversations.outgoing.client import AnswerTooLarge
from conversations.outgoing.url_safety import UnsafeUrl
from conversations.services.remote_calls import TOO_MANY_REQUESTS, rested, send
from conversations.services.sealing import unsealed
from conversations.services.writing_marks import mark_writing

TIMEOUT_SECONDS = 2.0
WAITING_LIMIT = 100
Place = tuple[str, str]
log = logging.getLogger(__name__)


def tell_typing(*, relationship_id: UUID, operator: str, typing: bool) -> bool:
    """Gives the sign in the conversation's channel; whether it was given.

    Only for who holds the conversation. A channel that is failing is left alone: finding out whether it works again is
    for words, and a sign that gets lost counts for nothing. Only being asked to wait is heeded for everybody.
    """
    rows = ChannelConversation.objects.filter(relationship_id=relationship_id, channel__enabled=True)
    conversation = rows.select_related("channel", "relationship").first()
    if conversation is None:
        return False
    channel, held = conversation.channel, conversation.relationship
    holds = (held.owner_kind, held.owner_operator) == (OwnerKind.OPERATOR, operator)
    adapter = ADAPTERS[channel.kind]
    call = adapter.typing(typing)
    if call is None or (typing and not holds) or channel.resting or channel.failures:
        return False
    request = adapter.request(call.stored(), conversation.external_id, channel, unsealed(channel.token_sealed))
    body = json.dumps(request.json).encode()
    try:
        answer = send(request.url, body=body, headers=request.headers, timeout_seconds=TIMEOUT_SECONDS)
    except (UnsafeUrl, AnswerTooLarge, httpx.TransportError):
        return False
    if answer.status == TOO_MANY_REQUESTS:
        rested(channel, answer.retry_after)
    return 200 <= answer.status < 300


def tell_from_thread(*, relationship_id: UUID, operator: str, typing: bool) -> bool:
    """The same on a thread that lives on, with a connection that lasts as long as any; whoever writes is not idle."""
    close_old_connections()
    try:
        if typing:
            mark_writing(relationship_id, operator)
        return tell_typing(relationship_id=relationship_id, operator=operator, typing=typing)
    finally:
        close_old_connections()


class TypingSigns:
    """What is to be told, newest wish a place; noticed on the event loop, told from one thread, in order."""

    def __init__(
        self,
        tell: Callable[..., bool] = tell_from_thread,
        submit: Callable[..., object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell, self._clock = tell, clock
        self._submit = submit or ThreadPoolExecutor(1, thread_name_prefix="typing").submit
        self._told_at: dict[Place, float] = {}
        self._lock = threading.Lock()
        self._wishes: dict[Place, tuple[bool, float]] = {}

    def notice(self, relationship: str, operator: str, *, writing: bool) -> None:
        """An operator writes, or no longer does."""
        place, now = (relationship, operator), self._clock()
        sign = sign_due(self._told_at.get(place), writing=writing, now=now)
        if sign is None:
            return
        if sign:
            self._told_at[place] = now
        else:
            del self._told_at[place]
        with self._lock:
            asked = place in self._wishes
            if not asked and len(self._wishes) >= WAITING_LIMIT:
                return
            self._wishes[place] = (sign, now)
        if not asked:
            self._submit(self._give, place)

    def _give(self, place: Place) -> None:
        with self._lock:
            typing, wished_at = self._wishes.pop(place)
        if is_stale(wished_at, now=self._clock()):
            return
        try:
            self._tell(relationship_id=UUID(place[0]), operator=place[1], typing=typing)
        except Exception:  # no sign is worth more than the thread that gives the next one
            log.exception("typing_sign_failed")


typing_signs = TypingSigns()
