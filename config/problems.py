"""Every refusal as `application/problem+json`: one shape, one place."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404
from pydantic import ValidationError
from pydantic_core import ErrorDetails
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from config import problem_json
from config.instruments import REFUSALS
from conversations.domain.errors import ConversationError
from flows.errors import FlowError
from guards.errors import GuardError

log = logging.getLogger(__name__)

# One base a app; each carries code, status, title and figures.
APP_ERRORS = (ConversationError, FlowError, GuardError)

CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
}

# pydantic's words → the contract's, where ours are plainer
FIELD_CODES = {
    "missing": "required",
    "extra_forbidden": "unknown_field",
    "greater_than": "out_of_range",
    "greater_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "less_than_equal": "out_of_range",
    "decimal_max_places": "out_of_range",
    "decimal_max_digits": "out_of_range",
    "decimal_whole_digits": "out_of_range",
    "string_too_long": "too_long",
    "string_too_short": "too_short",
    "string_pattern_mismatch": "wrong_format",
    "value_error": "wrong_format",
    "enum": "unknown_value",
    "literal_error": "unknown_value",
    "is_instance_of": "unknown_value",
}


def handle(problem: Exception, context: dict[str, Any]) -> Response:
    """DRF's exception handler. What is not foreseen is logged by its type and answered without its text."""
    told, headers = described(problem)
    # a refusal is JSON also where the view's own answers are a page or where nothing acceptable was found
    context["request"].accepted_renderer = JSONRenderer()
    context["request"].accepted_media_type = JSONRenderer.media_type
    return Response(told, status=told["status"], content_type=problem_json.CONTENT_TYPE, headers=headers)


def described(problem: Exception) -> tuple[dict[str, Any], dict[str, str]]:
    """The problem's document and headers; each is counted by its code."""
    told, headers = worded(problem)
    REFUSALS.labels(told["code"]).inc()
    return told, headers


def worded(problem: Exception) -> tuple[dict[str, Any], dict[str, str]]:
    if isinstance(problem, APP_ERRORS):
        return problem_json.problem(
            problem.status, problem.code, problem.detail, title=problem.title, **problem.figures
        ), {}
    if isinstance(problem, ValidationError):
        errors = [field_error(error) for error in problem.errors(include_url=False, include_input=False)]
        return standard(422, f"{len(errors)} field(s) are not valid.", errors=errors), {}
    if isinstance(problem, exceptions.APIException):
        return from_framework(problem)
    if isinstance(problem, Http404):
        return standard(404, "There is nothing here by that name."), {}
    if isinstance(problem, PermissionDenied):
        return standard(403, "This key may not do that."), {}
    if isinstance(problem, OperationalError):
        log.warning("database_unavailable", extra={"error": type(problem).__name__})
        return standard(503, "The database did not answer in time; nothing was changed."), {"Retry-After": "1"}
    log.exception("unforeseen_error")
    return standard(500, "The failure was logged; nothing was changed."), {}


def from_framework(problem: exceptions.APIException) -> tuple[dict[str, Any], dict[str, str]]:
    headers = {}
    if header := getattr(problem, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(problem, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    status = problem.status_code if problem.status_code in CODES else 400
    return standard(status, str(problem.detail)), headers


def standard(status: int, detail: str, **figures: Any) -> dict[str, Any]:
    return problem_json.problem(status, CODES[status], detail, **figures)


def field_error(error: ErrorDetails) -> dict[str, str]:
    kind = error["type"]
    code = FIELD_CODES.get(kind, "wrong_type" if kind.endswith(("_type", "_parsing")) else kind)
    return {"field": ".".join(str(part) for part in error["loc"]), "code": code, "message": error["msg"]}
