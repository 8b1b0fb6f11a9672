"""A number for every request, in its log lines and in its answer."""

import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.instruments import count_request
from config.logs import route_of

log = structlog.get_logger("lastword.request")
ACCEPTABLE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


def accepted_id(offered: str) -> str:
    """The caller's own id where it can be one, else a fresh one."""
    return offered if ACCEPTABLE_ID.fullmatch(offered) else uuid.uuid4().hex


class RequestLogMiddleware:
    """Binds the request's id, and its relationship's, to every line logged while it runs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id = accepted_id(request.headers.get("X-Request-ID", ""))
        began = time.perf_counter()
        # The relationship is bound later, in process_view: naming it here puts it back to nothing after.
        with structlog.contextvars.bound_contextvars(request_id=request_id, relationship_id=None):
            response = self._get_response(request)
            seconds, route = time.perf_counter() - began, route_of(request)
            count_request(request.method, route, response.status_code, seconds)
            log.info(
                "request",
                method=request.method,
                route=route,
                status=response.status_code,
                ms=round(seconds * 1000, 1),
            )
        response["X-Request-ID"] = request_id
        return response

    def process_view(self, _request: HttpRequest, _view: Any, _args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if "relationship_id" in kwargs:
            structlog.contextvars.bind_contextvars(relationship_id=str(kwargs["relationship_id"]))
