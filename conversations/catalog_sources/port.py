"""What every source of products is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pydantic import ValidationError

from conversations.services.catalog import ProductData


class SourceError(Exception):
    """The source cannot be read on; its text says why to whoever started the import."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that is no product, and where it stands."""

    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Batch:
    """Products to write together, what had to be left out, and the page to begin with if the import stops here."""

    products: tuple[ProductData, ...]
    refused: tuple[Refused, ...] = ()
    page: int = 1


class Source(Protocol):
    @property
    def key(self) -> str | None:
        """The name under which its position is kept between runs; None begins at the beginning each time."""

    def batches(self, *, page: int) -> Iterator[Batch]:
        """Everything from a page on. Raises `SourceError`."""


def reasons(problem: ValidationError) -> str:
    """What is wrong with a product, field by field."""
    told = (f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in problem.errors())
    return "; ".join(told)
