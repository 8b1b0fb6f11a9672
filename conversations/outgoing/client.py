"""The HTTP client for addresses somebody typed: pinned to vetted addresses, bounded in time and size."""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import httpcore
import httpx

from conversations.outgoing.network import VettingBackend
from conversations.outgoing.url_safety import Resolve, check_url

DEFAULT_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    retry_after: str | None = None


class AnswerTooLarge(Exception):
    """The other side sent more than it may."""


def safe_client(
    *,
    allow_private: bool,
    timeout_seconds: float = DEFAULT_TIMEOUT,
    resolve: Resolve = socket.getaddrinfo,
    ssl_context: ssl.SSLContext | None = None,
) -> httpx.Client:
    """A client that follows no redirect, obeys no proxy variable and takes at most `timeout_seconds` in all.

    Raises `UnsafeUrl` where a host is not to be reached, `httpx.TransportError` where it cannot be.
    """
    backend = VettingBackend(allow_private=allow_private, timeout_seconds=timeout_seconds, resolve=resolve)
    return httpx.Client(
        transport=_Transport(backend, ssl_context or _ssl_context(), allow_private=allow_private),
        timeout=timeout_seconds,
        follow_redirects=False,
        trust_env=False,
        # Compressed bodies could unpack to any size.
        headers={"Accept-Encoding": "identity", "User-Agent": "Lastword"},
    )


def post_bounded(
    client: httpx.Client, url: str, *, content: bytes, headers: Mapping[str, str], max_bytes: int
) -> Answer:
    """POST and read an answer of at most `max_bytes`, or raise `AnswerTooLarge`."""
    with client.stream("POST", url, content=content, headers=dict(headers)) as response:
        body = read_bounded(response, max_bytes)
        return Answer(status=response.status_code, body=body, retry_after=response.headers.get("Retry-After"))


def read_bounded(response: httpx.Response, max_bytes: int) -> bytes:
    """The body of a streamed answer of at most `max_bytes`, or `AnswerTooLarge`."""
    body = b""
    for chunk in response.iter_raw():
        body += chunk
        if len(body) > max_bytes:
            raise AnswerTooLarge
    return body


@lru_cache(maxsize=1)
def _ssl_context() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


class _Transport(httpx.BaseTransport):
    """httpx on a connection pool with our own network layer."""

    def __init__(self, backend: httpcore.NetworkBackend, ssl_context: ssl.SSLContext, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        # No connection is kept: each request's deadline is that of its connection.
        self._pool = httpcore.ConnectionPool(
            ssl_context=ssl_context, network_backend=backend, max_keepalive_connections=0
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        check_url(str(request.url), allow_private=self._allow_private)
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        with _as_httpx_errors():
            response = self._pool.handle_request(
                httpcore.Request(
                    request.method,
                    url,
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response))

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx_errors():
            yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


@contextmanager
def _as_httpx_errors() -> Iterator[None]:
    try:
        yield
    except httpcore.TimeoutException as error:
        raise httpx.ReadTimeout(str(error)) from error
    except httpcore.NetworkError as error:
        raise httpx.ConnectError(str(error)) from error
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise httpx.RemoteProtocolError(str(error)) from error
