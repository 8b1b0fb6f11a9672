"""Lists of flows and versions by cursor, as the contract has all lists: `?limit=&cursor=` gives `{results, next}`."""

from collections.abc import Callable
from typing import Any

from django.core import signing
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from flows.errors import InvalidQueryError

PAGING = [OpenApiParameter("limit", int), OpenApiParameter("cursor", str)]
DEFAULT_LIMIT = 50
MAX_LIMIT = 200
CURSOR = "lastword.flows.cursor"


def page_of(
    rows: QuerySet[Any], request: Request, *, order: str, as_json: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """One page of rows in the order of a unique column (`-` before its name: the highest first)."""
    column, limit = order.removeprefix("-"), limit_in(request)
    if (after := cursor_in(request, column)) is not None:
        rows = rows.filter(**{f"{column}__{'lt' if order.startswith('-') else 'gt'}": after})
    found = list(rows.order_by(order)[: limit + 1])
    last = found[limit - 1] if len(found) > limit else None
    return {
        "results": [as_json(row) for row in found[:limit]],
        "next": last and signing.dumps(getattr(last, column), salt=f"{CURSOR}.{column}"),
    }


def limit_in(request: Request) -> int:
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= MAX_LIMIT):
        raise InvalidQueryError(field="limit", code="out_of_range", message=f"A limit is 1 to {MAX_LIMIT}.")
    return int(text)


def cursor_in(request: Request, column: str) -> Any:
    text = request.query_params.get("cursor")
    if not text:
        return None
    try:
        return signing.loads(text, salt=f"{CURSOR}.{column}")
    except signing.BadSignature as problem:
        message = "That is no cursor of ours."
        raise InvalidQueryError(field="cursor", code="unreadable", message=message) from problem
