"""Answers given without asking Django."""

import uuid

from config.onehop.delivery import Answer
from config.problem_json import CONTENT_TYPE, encoded, problem


def _refuse(status: int, code: str, detail: str, *headers: tuple[bytes, bytes]) -> Answer:
    body = encoded(problem(status, code, detail))
    return Answer(
        status=status,
        headers=[
            (b"content-type", CONTENT_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"x-request-id", uuid.uuid4().hex.encode()),
            *headers,
        ],
        body=body,
    )


# After these the rest of the body may still be on its way: the connection cannot be used again.
CLOSE = (b"connection", b"close")


def too_large(limit: int) -> Answer:
    return _refuse(413, "body_too_large", f"The body may have at most {limit} bytes.", CLOSE)


def too_slow() -> Answer:
    return _refuse(408, "body_too_slow", "The body did not arrive in time.", CLOSE)


def bad_length() -> Answer:
    return _refuse(400, "bad_request", "Content-Length is not a number.", CLOSE)


def malformed() -> Answer:
    return _refuse(400, "bad_request", "The request cannot be decoded.")


def saturated() -> Answer:
    return _refuse(503, "saturated", "Too many requests are waiting.", (b"retry-after", b"1"))


def not_started() -> Answer:
    return _refuse(503, "not_started", "The server's background services do not run: start it with lifespan on.", CLOSE)


def internal_error() -> Answer:
    return _refuse(500, "internal_error", "Something went wrong on our side; it has been logged.")
