"""Where in a JSON document something stands: the dotted names that refusals carry."""

from collections.abc import Iterator
from typing import Any

MAX_SHOWN = 100


def walked(value: Any) -> Iterator[tuple[str, Any]]:
    """Every key and every value that is no container, each with the dotted name of the field it stands in."""
    stack = [("", value)]
    while stack:
        field, item = stack.pop()
        if isinstance(item, dict):
            stack += [(field, key) for key in item]
            stack += [(f"{field}.{key}".lstrip("."), member) for key, member in item.items()]
        elif isinstance(item, list):
            stack += [(f"{field}.{index}".lstrip("."), member) for index, member in enumerate(item)]
        else:
            yield field, item


def shown(field: str) -> str:
    """A field's name as an answer can carry it."""
    return field[:MAX_SHOWN].encode(errors="replace").decode()
