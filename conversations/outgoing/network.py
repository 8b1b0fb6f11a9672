"""Where a host name becomes a connection: resolved once, judged, and ended at a deadline."""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore

from conversations.outgoing.url_safety import Resolve, vetted_addresses


class _DeadlineStream(httpcore.NetworkStream):
    """A connection that ends at a set moment, however busily the other side drips bytes into it."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = self._left(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _left(self, timeout: float | None, expired: type[Exception]) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise expired("the time for this request is over")
        return left if timeout is None else min(left, timeout)


class VettingBackend(httpcore.NetworkBackend):
    """Resolves once, judges, and connects to what it judged; name checks (Host, TLS) keep the host's name."""

    def __init__(self, *, allow_private: bool, timeout_seconds: float, resolve: Resolve) -> None:
        self._allow_private = allow_private
        self._timeout_seconds = timeout_seconds
        self._resolve = resolve
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        deadline = time.monotonic() + self._timeout_seconds
        try:
            addresses = vetted_addresses(host, port, allow_private=self._allow_private, resolve=self._resolve)
        except OSError as error:
            raise httpcore.ConnectError("the host name cannot be resolved") from error
        problem: Exception = httpcore.ConnectError("the host has no address")
        for address in addresses:
            left = deadline - time.monotonic()
            if left <= 0:
                raise httpcore.ConnectTimeout("the time for this request is over")
            try:
                stream = self._plain.connect_tcp(address, port, left, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
            else:
                return _DeadlineStream(stream, deadline)
        raise problem
