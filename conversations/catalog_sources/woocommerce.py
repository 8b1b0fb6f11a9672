"""Products from a WooCommerce shop's REST API (`wc/v3`), page by page in the order of their ids."""

import json
import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from html import unescape
from typing import Any

import httpx
from pydantic import ValidationError

from conversations.catalog_sources.port import Batch, Refused, SourceError, reasons
from conversations.outgoing.client import AnswerTooLarge, read_bounded, safe_client
from conversations.outgoing.url_safety import UnsafeUrl, check_url
from conversations.services.catalog import ProductData

log = logging.getLogger(__name__)

PATH = "/wp-json/wc/v3/products"
PER_PAGE = 100
MAX_PAGES = 1_000
QUERY: Mapping[str, str | int] = {
    "per_page": PER_PAGE,
    "orderby": "id",
    "order": "asc",
    "status": "publish",
    "_fields": "id,name,description,short_description,price,permalink,images,categories,tags",
}
MAX_BYTES = 16 * 1024 * 1024
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each further try; a shop that still fails after the last is given up for now."""
LONGEST_PAUSE = 60.0
MARKUP = re.compile(r"<[^>]*>")


class _TryAgain(Exception):
    """The shop is busy or broken at the moment; `pause` is what it asked for."""

    def __init__(self, reason: str, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.pause = pause


@dataclass(frozen=True, slots=True)
class WooCommerce:
    """A shop, read with a consumer key and its secret."""

    url: str
    consumer_key: str
    consumer_secret: str = field(repr=False)
    currency: str = ""
    allow_private: bool = False
    sleep: Callable[[float], None] = time.sleep

    @property
    def key(self) -> str:
        return f"woocommerce {self.url.rstrip('/')}"

    def batches(self, *, page: int) -> Iterator[Batch]:
        """Pages until the last the shop names in `X-WP-TotalPages`."""
        self._check_address()
        with safe_client(allow_private=self.allow_private, timeout_seconds=30) as client:
            while page <= MAX_PAGES:
                listed, last = self._page(client, page)
                yield self._batch(listed, page)
                if page >= last:
                    return
                page += 1
        raise SourceError(f"The shop has more than {MAX_PAGES * PER_PAGE} products.")

    def _check_address(self) -> None:
        try:
            parsed = check_url(self.url, allow_private=self.allow_private)
        except UnsafeUrl as problem:
            raise SourceError(problem.message) from problem
        if parsed.scheme != "https" and not self.allow_private:
            raise SourceError("The key would travel unencrypted: use an https address.")

    def _page(self, client: httpx.Client, page: int) -> tuple[list[Any], int]:
        """One page and the number of the last, tried again with growing pauses."""
        for pause in (*PAUSES, None):
            try:
                return self._ask(client, page)
            except _TryAgain as problem:
                if pause is None:
                    raise SourceError(f"page {page}: {problem}; run the import again to go on from here") from problem
                log.warning("catalogue page %s: %s, trying again", page, problem)
                self.sleep(min(max(pause, problem.pause), LONGEST_PAUSE))
        raise AssertionError("the last try either answers or raises")

    def _ask(self, client: httpx.Client, page: int) -> tuple[list[Any], int]:
        auth = httpx.BasicAuth(self.consumer_key, self.consumer_secret)
        try:
            with client.stream(
                "GET", self.url.rstrip("/") + PATH, params={**QUERY, "page": page}, auth=auth
            ) as response:
                check_status(response)
                listed = json.loads(read_bounded(response, MAX_BYTES))
                pages = response.headers.get("X-WP-TotalPages", "")
        except httpx.TransportError as problem:
            raise _TryAgain("the shop cannot be reached") from problem
        except UnsafeUrl as problem:
            raise SourceError(problem.message) from problem
        except AnswerTooLarge as problem:
            raise SourceError(f"page {page}: the answer is larger than {MAX_BYTES} bytes") from problem
        except (ValueError, RecursionError) as problem:
            raise SourceError(f"page {page}: the answer is not JSON") from problem
        if not isinstance(listed, list):
            raise SourceError(f"page {page}: the answer is no list of products")
        if pages.isascii() and pages.isdigit():
            return listed, int(pages)
        return listed, page + 1 if len(listed) == PER_PAGE else page

    def _batch(self, listed: list[Any], page: int) -> Batch:
        products, refused = [], []
        for position, told in enumerate(listed):
            if not isinstance(told, Mapping):
                refused.append(Refused(f"page {page}, item {position}", "is no product"))
                continue
            try:
                products.append(product_of(told, currency=self.currency))
            except ValidationError as problem:
                refused.append(Refused(f"product {told.get('id')}", reasons(problem)))
        return Batch(tuple(products), tuple(refused), page=page)


def check_status(response: httpx.Response) -> None:
    """Passes what is an answer; tells what may get better from what will not."""
    status = response.status_code
    if status == 200:
        return
    if status == 429 or status >= 500:
        asked = response.headers.get("Retry-After", "")
        raise _TryAgain(f"the shop answers {status}", float(asked) if asked.isascii() and asked.isdigit() else 0.0)
    if status in (401, 403):
        raise SourceError(f"The shop refuses the key ({status}).")
    raise SourceError(f"The shop answers {status}; is this the address of a WooCommerce shop?")


def product_of(told: Mapping[str, Any], *, currency: str) -> ProductData:
    """A shop's product as ours; what only decorates is cut or dropped where it does not fit."""
    labels = (*items(told.get("categories")), *items(told.get("tags")))
    tags = tuple(plain(label.get("name"), 100) for label in labels)
    images = items(told.get("images"))
    return ProductData(
        id=str(told.get("id") or ""),
        name=plain(told.get("name"), 500),
        description=plain(told.get("short_description") or told.get("description"), 10_000),
        price=rounded(told.get("price") or None),
        currency=currency,
        url=address(told.get("permalink")),
        image_url=address(images[0].get("src")) if images else "",
        tags=tuple(dict.fromkeys(tag for tag in tags if tag))[:100],
    )


def items(value: Any) -> tuple[Mapping[str, Any], ...]:
    return tuple(each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else ()


def plain(value: Any, longest: int) -> str:
    """A text without markup, entities, line breaks and what no database keeps, of a bounded length."""
    if not isinstance(value, str):
        return ""
    readable = unescape(MARKUP.sub(" ", value)).encode("utf-8", "ignore").decode().replace("\x00", "")
    return " ".join(readable.split())[:longest]


def rounded(price: Any) -> Any:
    """A price as we keep it: net prices of a shop that taxes may have six decimals."""
    try:
        return round(Decimal(price), 4) if isinstance(price, str) else price
    except InvalidOperation:
        return price


def address(value: Any) -> str:
    """The address, if it is one that may stand in a link."""
    fits = isinstance(value, str) and len(value) <= 2000 and re.fullmatch(r"https?://\S+", value)
    return value if fits else ""
