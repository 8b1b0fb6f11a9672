"""A real HTTP server that speaks the chat-completions protocol and fails on demand."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Script:
    """What the server answers next, and what it was asked."""

    content: str | None = '{"facts": []}'
    finish_reason: str = "stop"
    status: int = 200
    raw_body: bytes | None = None
    delay: float = 0.0
    drip: float = 0.0
    headers_drip: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    base_url: str = ""

    def facts(self, *facts: tuple[str, str, str]) -> None:
        claims = [dict(zip(("name", "words", "value"), fact, strict=True)) for fact in facts]
        self.content = json.dumps({"facts": claims})

    def body(self) -> bytes:
        if self.raw_body is not None:
            return self.raw_body
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return json.dumps({"id": "c1", "object": "chat.completion", "model": "m", "choices": [choice]}).encode()


@contextmanager
def llm_server() -> Iterator[Script]:
    """A server on a free port for the length of the block."""
    script = Script()
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.requests.append({"path": self.path, "authorization": self.headers["Authorization"], **asked})
            over.wait(script.delay)
            body = script.body()
            try:
                self.send_response(script.status)
                self._drip_headers()
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self._send(body)
            except OSError:
                pass  # the client has given up, which is what the slow scripts are for

        def _drip_headers(self) -> None:
            for number in range(20 if script.headers_drip else 0):
                self.send_header(f"X-Wait-{number}", "a little")
                self.flush_headers()
                over.wait(script.headers_drip)

        def _send(self, body: bytes) -> None:
            if not script.drip:
                self.wfile.write(body)
                return
            for byte in body:
                if over.is_set():
                    return
                self.wfile.write(bytes([byte]))
                time.sleep(script.drip)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    script.base_url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield script
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
