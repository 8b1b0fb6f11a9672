"""Lets sockets in, and looks every two seconds whether each may stay: one look for all of them."""

import asyncio
import logging
import time
from typing import Any, ClassVar, Protocol
from urllib.parse import parse_qs

from django.contrib.auth import HASH_SESSION_KEY
from django.db import DatabaseError
from django_otp import DEVICE_ID_SESSION_KEY
from redis import RedisError

from conversations.access import Watch
from conversations.consumers.refusals import Close, Refused
from conversations.selectors.passes import Holder, Pass, holders_of
from conversations.services.broadcast.reading import read
from conversations.services.ws_tickets import redeem_ticket

LOOK_SECONDS = 2.0
# Rights that could not be looked up for so long are no longer known: nobody stays on a guess.
TRUST_SECONDS = 4.5
log = logging.getLogger(__name__)


class Guest(Protocol):
    """A socket, as the door sees it."""

    watch: ClassVar[Watch]
    shown: Pass

    def dismiss(self, refused: Refused) -> None: ...


async def pass_of(scope: dict[str, Any]) -> Pass:
    """The ticket in the address, else the login of the session; neither is refused."""
    if ticket := query_of(scope).get("ticket"):
        key_id = await read(redeem_ticket, ticket)
        if key_id is None:
            raise Refused(Close.NO_LOGIN)
        return Pass(key_id=key_id)
    user, session = scope.get("user"), scope.get("session")
    if user is None or session is None or not user.is_authenticated:
        raise Refused(Close.NO_LOGIN)
    return Pass(
        user_id=user.pk,
        session_key=session.session_key,
        login_hash=session.get(HASH_SESSION_KEY, ""),
        device=session.get(DEVICE_ID_SESSION_KEY, ""),
        ends_at=scope.get("login_ends_at"),
    )


def query_of(scope: dict[str, Any]) -> dict[str, str]:
    """The address's parameters; of one given twice, the first."""
    return {name: values[0] for name, values in parse_qs(scope.get("query_string", b"").decode("latin-1")).items()}


def check(holder: Holder | None, watch: Watch) -> Holder:
    if holder is None:
        raise Refused(Close.NO_LOGIN)
    if watch not in holder.watches:
        raise Refused(Close.NO_RIGHT)
    return holder


class Door:
    """Every socket of this process that is inside."""

    def __init__(self) -> None:
        self._inside: set[Guest] = set()
        self._looked_at = time.monotonic()

    async def admit(self, guest: Guest, scope: dict[str, Any]) -> Holder:
        """Who the guest is, if they may come in; who cannot be looked up now is asked to come again."""
        try:
            guest.shown = await pass_of(scope)
            holders = await read(holders_of, [guest.shown])
        except (RedisError, DatabaseError) as problem:
            log.warning("socket_rights_unknown", extra={"problem": type(problem).__name__})
            raise Refused(Close.TRY_AGAIN_LATER) from problem
        holder = check(holders.get(guest.shown), guest.watch)
        self._inside.add(guest)
        return holder

    def leave(self, guest: Guest) -> None:
        self._inside.discard(guest)

    async def look(self) -> None:
        """Dismisses everybody whose login or right has ended."""
        began, guests = time.monotonic(), list(self._inside)
        try:
            holders = await read(holders_of, {guest.shown for guest in guests}) if guests else {}
        except Exception as problem:
            log.warning("socket_rights_unknown", extra={"problem": type(problem).__name__})
            if began - self._looked_at > TRUST_SECONDS - LOOK_SECONDS:
                self._dismiss(guests, Refused(Close.TRY_AGAIN_LATER))
            return
        self._looked_at = began
        for guest in guests:
            try:
                check(holders.get(guest.shown), guest.watch)
            except Refused as refused:
                self._dismiss([guest], refused)

    def _dismiss(self, guests: list[Guest], refused: Refused) -> None:
        for guest in guests:
            guest.dismiss(refused)


door = Door()


async def every(seconds: float, act: Any) -> None:
    """Does something again and again; one failure does not end the others."""
    while True:
        try:
            await act()
        except Exception:
            log.exception("a periodic act of the sockets failed")
        await asyncio.sleep(seconds)
