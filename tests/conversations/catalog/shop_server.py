"""A real HTTP server that answers as a WooCommerce shop does, and fails when told to."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

KEY, SECRET = "ck_reader", "cs_secret"


@dataclass
class Failure:
    """What a page answers instead, `times` times."""

    status: int
    times: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"code": "broken"}'


@dataclass
class Shop:
    products: list[Any] = field(default_factory=list)
    failures: dict[int, Failure] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    tells_pages: bool = True
    url: str = ""

    def pages_asked(self) -> list[int]:
        return [int(query["page"]) for query in self.asked]


def product(number: int, **changes: Any) -> dict[str, Any]:
    """A product in the shape of `wc/v3`, with fields we do not read."""
    return {
        "id": number,
        "name": f"Robe n° {number}",
        "slug": f"robe-{number}",
        "permalink": f"https://shop.example/robe-{number}/",
        "status": "publish",
        "description": "<p>Long</p>",
        "short_description": "<p>Une robe <b>l&eacute;g&egrave;re</b></p>\n",
        "price": "199.00",
        "images": [{"id": 1, "src": f"https://shop.example/{number}.jpg", "alt": ""}],
        "categories": [{"id": 9, "name": "Robes &amp; jupes", "slug": "robes"}],
        "tags": [{"id": 3, "name": "été", "slug": "ete"}],
        **changes,
    }


@contextmanager
def woocommerce_shop() -> Iterator[Shop]:
    shop = Shop()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query))
            shop.paths.append(parts.path)
            expected = "Basic " + base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
            if self.headers["Authorization"] != expected:
                self.answer(401, b'{"code": "woocommerce_rest_cannot_view"}')
                return
            shop.asked.append(query)
            page, size = int(query["page"]), int(query["per_page"])
            failure = shop.failures.get(page)
            if failure and failure.times:
                failure.times -= 1
                self.answer(failure.status, failure.body, failure.headers)
                return
            listed = shop.products[(page - 1) * size : page * size]
            pages = {"X-WP-TotalPages": str(-(-len(shop.products) // size)), "X-WP-Total": str(len(shop.products))}
            self.answer(200, json.dumps(listed).encode(), pages if shop.tells_pages else {})

        def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    shop.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield shop
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
