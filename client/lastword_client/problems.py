"""From a refused reply to its exception: by the problem's code, else by its status."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lastword_client import errors
from lastword_client.errors import LastwordError
from lastword_client.plan import Reply
from lastword_client.retry import retry_after


def _leaves(base: type[LastwordError]) -> Iterator[type[LastwordError]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _leaves(kind)


BY_CODE = {kind.code: kind for kind in _leaves(LastwordError) if "code" in vars(kind)}

BY_STATUS: Mapping[int, type[LastwordError]] = {
    400: errors.ValidationFailed,
    401: errors.Unauthorized,
    403: errors.Forbidden,
    404: errors.NotFound,
    413: errors.ValidationFailed,
    422: errors.ValidationFailed,
    429: errors.RateLimited,
}


def refusal(reply: Reply) -> LastwordError:
    """The typed exception of a reply that is no success."""
    problem = _problem(reply)
    code = str(problem.get("code") or "") or None
    kind = _kind(reply.status, code)
    detail = str(problem.get("detail") or problem.get("title") or f"HTTP status {reply.status}")
    error = kind(detail, code=code, status=reply.status, problem=problem)
    if isinstance(error, errors.RateLimited):
        error.retry_after = retry_after(reply)
    return error


def _kind(status: int, code: str | None) -> type[LastwordError]:
    if status >= 500:
        return errors.ServerError
    if status < 400:
        return errors.UnexpectedAnswer
    return BY_CODE.get(code or "") or BY_STATUS.get(status, LastwordError)


def _problem(reply: Reply) -> Mapping[str, Any]:
    """The problem document; anything else (a proxy's page) has none."""
    try:
        document = json.loads(reply.content)
    except ValueError:
        return {}
    return document if isinstance(document, Mapping) else {}
