"""Whoever the service talks to: a subscriber that keeps what it is told, an agent that thinks, a Chatwoot."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

THINKING_SECONDS = 0.3


class Receiver:
    """`heard` counts the notices by their number, `calls` the calls into the channel."""

    def __init__(self) -> None:
        self.heard: Counter[int] = Counter()
        self.calls: list[str] = []
        self.url = ""
        self._ids = count(1_000_000)
        self._lock = threading.Lock()

    def answer(self, path: str, told: dict[str, Any]) -> dict[str, Any]:
        if path == "/agent":
            time.sleep(THINKING_SECONDS)
            return {"text": "Let me look that up for you."}
        with self._lock:
            if path == "/":
                self.heard[int(told["id"])] += 1
                return {}
            self.calls.append(path)
            return {"id": next(self._ids)}


@contextmanager
def receiver() -> Iterator[Receiver]:
    told = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = json.dumps(told.answer(self.path, body)).encode()
            with suppress(OSError):  # who called was killed meanwhile
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet: the bench prints its own report."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    told.url = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
