"""Lists by cursor: `?limit=&cursor=` gives `{results, next}`, stable while rows are added."""

from collections.abc import Callable
from typing import Any

from django.core import signing
from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from conversations.domain.errors import InvalidTermsError

PAGING = [OpenApiParameter("limit", int), OpenApiParameter("cursor", str)]
DEFAULT_LIMIT = 50
MAX_LIMIT = 200
CURSOR = "lastword.cursor"


def page_of(
    rows: QuerySet[Any], request: Request, *, order: tuple[str, str], as_json: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """One page of rows, newest first by two columns of which the second is unique."""
    first, second = order
    limit = limit_of(request)
    after = cursor_of(request)
    if after is not None:
        rows = rows.filter(Q(**{f"{first}__lt": after[0]}) | Q(**{first: after[0], f"{second}__lt": after[1]}))
    found = list(rows.order_by(f"-{first}", f"-{second}")[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    last = found[-1] if more else None
    position = [getattr(last, first).isoformat(), str(getattr(last, second))] if last else None
    return {
        "results": [as_json(row) for row in found],
        "next": position and signing.dumps(position, salt=CURSOR),
    }


def limit_of(request: Request) -> int:
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= MAX_LIMIT):
        raise InvalidTermsError(field="limit", code="out_of_range", message=f"A limit is 1 to {MAX_LIMIT}.")
    return int(text)


def cursor_of(request: Request) -> list[str] | None:
    text = request.query_params.get("cursor")
    if not text:
        return None
    try:
        position: list[str] = signing.loads(text, salt=CURSOR)
    except signing.BadSignature as problem:
        message = "That is no cursor of ours."
        raise InvalidTermsError(field="cursor", code="unreadable", message=message) from problem
    return position
