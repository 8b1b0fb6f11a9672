"""Django's middleware and views, run start to finish on the calling thread."""

from typing import IO

from django.core import signals
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from config.onehop.delivery import CHUNK_BYTES, Answer, ThreadStream, encoded_headers, fits_in_memory
from config.onehop.types import Scope


class MalformedRequest(Exception):
    """The query string cannot be decoded."""


class Chain(BaseHandler):
    """The sync handler chain; one instance serves every thread."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware(is_async=False)

    def run(self, scope: Scope, body: IO[bytes], stream: ThreadStream) -> Answer | StreamingHttpResponse | None:
        """One request: signals, middleware, view, delivery.

        Returns the answer to send; None when it was streamed from here; or, still open, a response
        whose chunks come from an async iterator and therefore belong on the event loop.

        Closing the response sends `request_finished`, at which Django drops database connections
        that broke or are too old and keeps the others for the next request on this thread.
        """
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        response = self._respond(scope, body)
        if response.streaming and response.is_async and scope["method"] != "HEAD":
            return response
        try:
            return _deliver(scope, response, stream)
        finally:
            response.close()

    def _respond(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        request: HttpRequest | None = None
        try:
            request = ASGIRequest(scope, body)
            response = self.get_response(request)
        except BaseException as error:
            body.close()
            signals.request_finished.send(sender=self.__class__)
            if request is None and isinstance(error, UnicodeDecodeError):
                raise MalformedRequest from None
            raise
        response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            response.block_size = CHUNK_BYTES
        return response


def _deliver(scope: Scope, response: HttpResponseBase, stream: ThreadStream) -> Answer | None:
    headers = encoded_headers(response)
    if scope["method"] == "HEAD":
        return Answer(response.status_code, headers, b"")
    if not response.streaming:
        return Answer(response.status_code, headers, response.content)
    if fits_in_memory(response):
        return Answer(response.status_code, headers, b"".join(response))
    stream.run(response.status_code, headers, iter(response))
    return None
