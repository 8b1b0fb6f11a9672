"""Errors outside Django REST framework: problem+json for programs, Django's pages for people."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views import defaults
from django.views.csrf import csrf_failure as csrf_failure_page

from config.problem_json import CONTENT_TYPE, encoded, problem

PROGRAM_PATHS = ("/api", "/healthz", "/readyz")


def problem_response(status: int, code: str, detail: str, **figures: Any) -> HttpResponse:
    """A problem as an answer of plain Django."""
    document = problem(status, code, detail, **figures)
    return HttpResponse(encoded(document), status=status, content_type=CONTENT_TYPE)


def read_only(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Lets GET and HEAD through; to a program every other method is a problem, not a page."""

    @wraps(view)
    def reading(request: HttpRequest) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return view(request)
        refused = problem_response(
            HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", f"{request.method} means nothing here."
        )
        refused["Allow"] = "GET, HEAD"
        return refused

    return reading


def for_a_program(request: HttpRequest) -> bool:
    """The API's addresses, and whoever would rather have JSON than a page."""
    if request.path_info.startswith(PROGRAM_PATHS):
        return True
    if request.content_type in {"application/json", CONTENT_TYPE}:
        return True
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if for_a_program(request):
        return problem_response(HTTPStatus.BAD_REQUEST, "bad_request", "The request cannot be understood.")
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if for_a_program(request):
        return problem_response(HTTPStatus.FORBIDDEN, "forbidden", "This is not allowed.")
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if for_a_program(request):
        return problem_response(HTTPStatus.NOT_FOUND, "not_found", "There is nothing at this address.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    if for_a_program(request):
        return problem_response(
            HTTPStatus.INTERNAL_SERVER_ERROR,
            "internal_error",
            "Something went wrong on our side; it has been logged.",
        )
    return defaults.server_error(request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    if for_a_program(request):
        return problem_response(HTTPStatus.FORBIDDEN, "forbidden", "The cross-site request check failed.")
    return csrf_failure_page(request, reason)
