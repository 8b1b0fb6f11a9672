"""Sockets open from our own pages and from programs, and say why they close."""

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from config.websockets import NO_RIGHT, NOT_FOUND, build


async def opened(*headers: tuple[bytes, bytes]) -> tuple[ApplicationCommunicator, dict[str, Any]]:
    """A connection to a path that does not exist, and the server's first word."""
    scope = {
        "type": "websocket",
        "path": "/ws/nothing-here",
        "query_string": b"",
        "headers": list(headers),
        "subprotocols": [],
    }
    socket = ApplicationCommunicator(build(), scope)
    await socket.send_input({"type": "websocket.connect"})
    return socket, await socket.receive_output()


@pytest.mark.parametrize("headers", [(), ((b"origin", b"http://localhost:8000"),)])
async def test_an_unknown_path_accepts_and_closes_with_a_reason(headers: tuple[tuple[bytes, bytes], ...]) -> None:
    socket, first = await opened(*headers)
    assert first["type"] == "websocket.accept"
    closing = await socket.receive_output()
    assert (closing["type"], closing["code"]) == ("websocket.close", NOT_FOUND)


@pytest.mark.parametrize("origin", [b"https://evil.example", b"null", b"http://[", b""])
async def test_another_sites_page_is_told_why_it_gets_nothing(origin: bytes) -> None:
    socket, first = await opened((b"origin", origin))
    assert first["type"] == "websocket.accept"
    closing = await socket.receive_output()
    assert (closing["type"], closing["code"]) == ("websocket.close", NO_RIGHT)
