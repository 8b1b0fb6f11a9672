"""The shape of every error outside Django REST framework: RFC 9457 problem+json."""

import json
from http import HTTPStatus
from typing import Any

CONTENT_TYPE = "application/problem+json"


def problem(status: int, code: str, detail: str, **figures: Any) -> dict[str, Any]:
    """A problem document; `figures` are the extra members a code promises."""
    return {
        "type": f"urn:lastword:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **figures,
    }


def encoded(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()
