"""The limit: uvicorn and a loop over its sockets, nothing else. Told by lines on standard input what to send."""

import asyncio
import json
import socket
import sys
import time
from typing import Any

import uvicorn
import uvloop

sockets: set[Any] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    sockets.add(send)
    while (await receive())["type"] != "websocket.disconnect":
        pass
    sockets.discard(send)


async def publish(messages: int, pause: float, first: int) -> None:
    for number in range(first, first + messages):
        told = {
            "type": "event",
            "seq": number,
            "event": {"payload": {"at": time.time_ns() // 1000, "filler": "x" * 400}},
        }
        text = json.dumps(told)
        for send in list(sockets):
            await send({"type": "websocket.send", "text": text})
        await asyncio.sleep(pause)


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    server = uvicorn.Server(
        uvicorn.Config(
            application,
            lifespan="off",
            loop="uvloop",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            log_level="error",
            access_log=False,
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    first = 2
    while line := await asyncio.to_thread(sys.stdin.readline):
        wish = json.loads(line)
        await publish(wish["messages"], wish["pause"], first)
        first += wish["messages"]
    server.should_exit = True
    server.force_exit = True
    await serving


if __name__ == "__main__":
    uvloop.run(main())
