"""A watcher that stops reading through a burst has, once it reads on, every event once and in order."""

import asyncio
import json
import socket
from contextlib import suppress
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.faultline.run import Run

BURST = 1000
AT_ONCE = 50
# Long messages and a tiny window: the kernel's and the server's buffers are full long before the burst is over.
LONG = "x" * 4000
WINDOW_BYTES = 4096


def slow_socket(run: Run) -> str:
    burst, conversation = run.times(BURST), run.load.ids[0]
    read, dropped = asyncio.run(stalled(run, conversation, burst))
    assert read == list(range(1, len(read) + 1)), f"I14: {read[:20]}"
    told = f"{burst} messages of {len(LONG)} bytes while a socket read nothing; then {len(read)} events in order"
    return told + (f", after {dropped} new connections since the server had given it up" if dropped else "")


async def stalled(run: Run, conversation: str, burst: int) -> tuple[list[int], int]:
    """The numbers of the events, as they came once the burst was over, and how often it had to connect again."""
    seqs: list[int] = []
    dropped = 0
    # no connection is used twice: one that the server gives up as idle in that very moment would be no fault of its own
    once = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(headers=run.load.headers, timeout=60, limits=once) as http, asyncio.timeout(300):
        async with await watching(run, http, conversation, after=0) as socket:
            await said(run, http, conversation, burst)
            head = (await http.get(f"{run.world.url}/api/v1/relationships/{conversation}")).json()["head"]["seq"]
            await read_on(socket, seqs, head)
        while seqs[-1:] < [head]:  # who does not answer a ping for 20 s is given up
            dropped += 1
            async with await watching(run, http, conversation, after=len(seqs)) as socket:
                await read_on(socket, seqs, head)
    return seqs, dropped


async def watching(run: Run, http: httpx.AsyncClient, conversation: str, *, after: int) -> connect:
    ticket = (await http.post(f"{run.world.url}/api/v1/ws-ticket", json={})).json()["ticket"]
    path = f"/ws/relationships/{conversation}?ticket={ticket}&after_seq={after}"
    window = small_window(run.world.url)
    return connect(run.world.url.replace("http", "ws") + path, sock=window, max_queue=1, ping_interval=None)


async def read_on(socket: ClientConnection, seqs: list[int], head: int) -> None:
    with suppress(ConnectionClosed):
        while seqs[-1:] < [head]:
            told = json.loads(await socket.recv())
            if told["type"] == "event":
                seqs.append(told["seq"])


async def said(run: Run, http: httpx.AsyncClient, conversation: str, burst: int) -> None:
    """The burst itself; what is acknowledged counts like everything else."""
    url = f"{run.world.url}/api/v1/relationships/{conversation}/intents"
    body = {"sender": "bank", "intent": "burst", "context": {"long": LONG}}

    async def one() -> dict[str, Any]:
        event = (await http.post(url, json=body)).raise_for_status().json()["event"]
        return {"relationship": conversation, "seq": event["seq"], "hash": event["hash"]}

    for begin in range(0, burst, AT_ONCE):
        run.load.receipts += await asyncio.gather(*(one() for _ in range(min(AT_ONCE, burst - begin))))


def small_window(url: str) -> socket.socket:
    """Set before connecting, since the window is agreed on then."""
    host, _, port = url.removeprefix("http://").partition(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW_BYTES)
    connection.connect((host, int(port)))
    connection.setblocking(False)
    return connection
