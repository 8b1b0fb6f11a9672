"""A server on the other side: keeps what it is sent and answers as Chatwoot or Slack would, or as scripted."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any


@dataclass
class Call:
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.raw)


@dataclass
class Scripted:
    """One answer out of the ordinary."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    body: Any = None


@dataclass
class Remote:
    """What was called, and how the next calls are to be answered."""

    port: int = 0
    calls: list[Call] = field(default_factory=list)
    script: list[Scripted] = field(default_factory=list)
    answer: Callable[[Call], Any] = lambda _call: {}
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def messages(self) -> list[dict[str, Any]]:
        return [call.json for call in self.calls if call.path.endswith(("/messages", "/chat.postMessage"))]

    def statuses(self) -> list[str]:
        return [call.json["status"] for call in self.calls if call.path.endswith("/toggle_status")]


@contextmanager
def serving(answer: Callable[[Call], Any]) -> Iterator[Remote]:
    remote = Remote(answer=answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            call = Call(self.path, dict(self.headers), raw)
            remote.calls.append(call)
            scripted = remote.script.pop(0) if remote.script else Scripted()
            body = scripted.body if scripted.body is not None else remote.answer(call)
            remote.over.wait(scripted.delay)
            with suppress(OSError):  # whoever gave up waiting is what a delay is for
                self.send_response(scripted.status)
                for name, value in scripted.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    remote.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield remote
    finally:
        remote.over.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def chatwoot_answers() -> Callable[[Call], Any]:
    ids = count(9_000)
    return lambda call: {"id": next(ids), **call.json} if call.path.endswith("/messages") else {}


def slack_answers() -> Callable[[Call], Any]:
    moments = count(1)

    def answer(call: Call) -> Any:
        if call.path.endswith("/auth.test"):
            return {"ok": True}
        return {"ok": True, "channel": call.json["channel"], "ts": f"1800000000.{next(moments):06d}"}

    return answer
