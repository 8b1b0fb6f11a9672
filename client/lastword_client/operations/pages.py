"""Lists that come in pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from lastword_client.answers import Answer, MalformedAnswer
from lastword_client.plan import Plan

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Part of a list and the cursor of what follows."""

    results: tuple[T, ...]
    next: str | None


Pages: TypeAlias = Callable[[str | None], Plan[Page[T]]]


def page_of(read: Callable[[Any], T]) -> Callable[[Any], Page[T]]:
    """A reader of `{results, next}` by the reader of one result."""

    def read_page(document: Any) -> Page[T]:
        body = Answer.read(document)
        results = body.raw.get("results")
        if not isinstance(results, list):
            raise MalformedAnswer("a list without results")
        return Page(results=tuple(read(item) for item in results), next=body.raw.get("next"))

    return read_page
