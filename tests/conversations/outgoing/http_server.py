"""A real HTTP(S) server that records what reaches it and answers as scripted."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Recorded:
    path: str
    headers: Message
    body: bytes


@dataclass
class Endpoint:
    status: int = 200
    body: bytes = b'{"text": "Hello"}'
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip_headers: float = 0.0
    drip: float = 0.0
    received: list[Recorded] = field(default_factory=list)
    server_names: list[str | None] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/agent"


@contextmanager
def http_server(tls: ssl.SSLContext | None = None) -> Iterator[Endpoint]:
    """A server on a free port for the length of the block."""
    endpoint = Endpoint()
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # offers to keep the connection, which our client must decline

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            endpoint.received.append(Recorded(self.path, self.headers, body))
            over.wait(endpoint.delay)
            with suppress(OSError):  # the client has given up, which is what the slow scripts are for
                self._answer()

        def _answer(self) -> None:
            self.send_response(endpoint.status)
            for name, value in endpoint.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(endpoint.body)))
            while endpoint.drip_headers and not over.is_set():
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: " if not self._dripped else b"y")
                self._dripped = True
                time.sleep(endpoint.drip_headers)
            self.end_headers()
            if not endpoint.drip:
                self.wfile.write(endpoint.body)
            for byte in endpoint.body if endpoint.drip else b"":
                if over.is_set():
                    return
                self.wfile.write(bytes([byte]))
                time.sleep(endpoint.drip)

        _dripped = False

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a client that refuses our certificate hangs up in the middle

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        tls.sni_callback = lambda _socket, name, _context: endpoint.server_names.append(name)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    endpoint.port = server.server_port
    try:
        yield endpoint
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
