"""The ASGI application for HTTP."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import IO, Any

from django.http import StreamingHttpResponse

from config.onehop import refusals
from config.onehop.body import BadLength, BodyTooLarge, BodyTooSlow, ClientGone, receive_body
from config.onehop.chain import Chain, MalformedRequest
from config.onehop.delivery import Answer, ThreadStream, send_async_chunks
from config.onehop.threads import RequestThreads, Saturated
from config.onehop.types import Receive, Scope, Send

log = logging.getLogger("lastword.http")


class OneHop:
    """Serves each HTTP request by one run of Django's sync chain on one thread."""

    def __init__(self, *, threads: int, queue_limit: int, body_limit: int) -> None:
        self._chain = Chain()
        self._threads = RequestThreads(threads, queue_limit)
        self._body_limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await receive_body(scope, receive, self._body_limit)
        except ClientGone:
            return
        except BodyTooLarge:
            await refusals.too_large(self._body_limit).send(send)
        except BodyTooSlow:
            await refusals.too_slow().send(send)
        except BadLength:
            await refusals.bad_length().send(send)
        else:
            await self._answer(scope, body, receive, send)

    def close(self, timeout: float) -> bool:
        """Finish accepted requests and end the threads (blocks); False when the time was too short."""
        return self._threads.close(timeout)

    async def _answer(self, scope: Scope, body: IO[bytes], receive: Receive, send: Send) -> None:
        listener = DisconnectListener(receive)
        stream = ThreadStream(send, on_start=listener.start)
        had_to_wait = self._threads.busy
        try:
            job = self._threads.submit(lambda: self._chain.run(scope, body, stream))
        except Saturated:
            body.close()
            await refusals.saturated().send(send)
            return
        listener.on_gone(job.cancel, stream.abandon)
        # A job that began at once cannot be taken back: only one that waits, or one that streams,
        # is worth the cost of listening.
        if had_to_wait:
            listener.start()
        try:
            outcome = await self._outcome(job, stream)
            if isinstance(outcome, Answer):
                await outcome.send(send)
            elif outcome is not None:
                await self._stream_from_loop(outcome, listener, send)
        except ClientGone:
            return
        except asyncio.CancelledError:
            stream.abandon()
            if not listener.client_gone:
                raise
        finally:
            listener.stop()
            if job.cancelled():
                body.close()

    async def _outcome(self, job: "Future[Any]", stream: ThreadStream) -> Answer | StreamingHttpResponse | None:
        try:
            return await asyncio.wrap_future(job)
        except (ClientGone, asyncio.CancelledError):
            raise
        except MalformedRequest:
            return refusals.malformed()
        except BaseException as error:
            # Too late for an error answer once chunks are out: the server must cut the connection,
            # or the client would take the truncated body for a whole one.
            if stream.started:
                raise
            log.error("request failed outside Django's own handling", exc_info=error)
            return refusals.internal_error()

    async def _stream_from_loop(
        self, response: StreamingHttpResponse, listener: "DisconnectListener", send: Send
    ) -> None:
        sending = asyncio.ensure_future(send_async_chunks(response, send))
        listener.on_gone(sending.cancel)
        listener.start()
        try:
            await sending
        finally:
            sending.cancel()
            await asyncio.shield(asyncio.wrap_future(self._threads.submit(response.close, urgent=True)))


class DisconnectListener:
    """Notices that the client left, and then calls what is registered."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._task: asyncio.Task[None] | None = None
        self._callbacks: list[Callable[[], Any]] = []
        self.client_gone = False

    def on_gone(self, *callbacks: Callable[[], Any]) -> None:
        self._callbacks += callbacks

    def start(self) -> None:
        """Begin to listen; a second call changes nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._listen())

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _listen(self) -> None:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.client_gone = True
            for callback in self._callbacks:
                callback()
