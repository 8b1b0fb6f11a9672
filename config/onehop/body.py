"""Receiving a request's body, never holding more than the limit."""

import asyncio
import io
import tempfile
from typing import IO

from config.onehop.types import Receive, Scope

RECEIVE_SECONDS = 60.0
SPOOL_BYTES = 256 * 1024


class ClientGone(Exception):
    """The client closed the connection before it was answered."""


class BodyTooLarge(Exception):
    """The body is larger than the limit, by its own announcement or by what arrived."""


class BodyTooSlow(Exception):
    """The body did not arrive in time."""


class BadLength(Exception):
    """The announced length is not a number."""


def announced_length(scope: Scope) -> int | None:
    """The Content-Length header's value, if there is one."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            if not value.isdigit():
                raise BadLength
            return int(value)
    return None


async def receive_body(scope: Scope, receive: Receive, limit: int) -> IO[bytes]:
    """The whole body as a file at its start.

    An announced length over the limit is refused before anything is read, so a client that asked
    `Expect: 100-continue` is never told to go on.
    """
    length = announced_length(scope)
    if length is not None and length > limit:
        raise BodyTooLarge
    try:
        async with asyncio.timeout(RECEIVE_SECONDS):
            return await _receive(receive, limit)
    except TimeoutError:
        raise BodyTooSlow from None


async def _receive(receive: Receive, limit: int) -> IO[bytes]:
    first, more = await _next_chunk(receive)
    if len(first) > limit:
        raise BodyTooLarge
    if not more:
        return io.BytesIO(first)
    body: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 the request closes it
    try:
        body.write(first)
        while more:
            chunk, more = await _next_chunk(receive)
            if body.tell() + len(chunk) > limit:
                raise BodyTooLarge
            body.write(chunk)
    except BaseException:
        body.close()
        raise
    body.seek(0)
    return body


async def _next_chunk(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message.get("body", b""), message.get("more_body", False)
