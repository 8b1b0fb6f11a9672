"""A WooCommerce shop's products come in, through its failures."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from conversations.catalog_sources import woocommerce
from conversations.catalog_sources.woocommerce import WooCommerce
from conversations.models import CatalogImport, Product
from conversations.services.catalog_import import ImportReport, import_catalog
from tests.conversations.catalog.shop_server import KEY, SECRET, Failure, Shop, product, woocommerce_shop

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop() -> Iterator[Shop]:
    with woocommerce_shop() as served:
        served.products = [product(number) for number in range(1, 251)]
        yield served


class Imports:
    """Runs an import and remembers how long it would have waited."""

    def __init__(self, shop: Shop) -> None:
        self.shop, self.pauses = shop, list[float]()

    def __call__(self, **changes: Any) -> ImportReport:
        given = {"url": self.shop.url, "consumer_key": KEY, "consumer_secret": SECRET, "allow_private": True}
        return import_catalog(WooCommerce(**{**given, "sleep": self.pauses.append, **changes}))


@pytest.fixture
def imports(shop: Shop) -> Imports:
    return Imports(shop)


def test_every_page_comes_in_and_no_position_is_left(shop: Shop, imports: Imports) -> None:
    report = imports()
    assert (report.imported, report.refused_count, report.problem) == (250, 0, None)
    assert shop.pages_asked() == [1, 2, 3]
    assert set(shop.paths) == {"/wp-json/wc/v3/products"}
    assert shop.asked[0]["orderby"] == "id"
    assert Product.objects.count() == 250
    assert not CatalogImport.objects.exists()


def test_a_product_is_taken_over_without_its_markup(shop: Shop, imports: Imports) -> None:
    shop.products = [product(55)]
    imports(currency="MAD")
    stored = Product.objects.get(pk="55")
    assert (stored.name, stored.description) == ("Robe n° 55", "Une robe légère")
    assert (stored.price, stored.currency) == (Decimal(199), "MAD")
    assert (stored.url, stored.image_url) == ("https://shop.example/robe-55/", "https://shop.example/55.jpg")
    assert stored.tags == ["Robes & jupes", "été"]


def test_what_only_decorates_never_keeps_a_product_out(shop: Shop, imports: Imports) -> None:
    shop.products = [
        product(1, name="x" * 600, images=[], price="8.264463", permalink="javascript:alert(1)", tags=None),
        product(2, price="", short_description="", categories="none", images=[7]),
        product(3, name="nul\x00 and \ud800 gone"),
    ]
    assert imports().imported == 3
    first, second, third = Product.objects.order_by("pk")
    assert (len(first.name), first.url, first.image_url, first.price) == (500, "", "", Decimal("8.2645"))
    assert (second.price, second.description) == (None, "Long")
    assert third.name == "nul and gone"


def test_what_is_no_product_is_named_and_the_rest_comes_in(shop: Shop, imports: Imports) -> None:
    shop.products = [
        product(1),
        {"id": None, "name": "x"},
        product(2, name=""),
        product(3, price="-5"),
        "hm",
        product(4),
    ]
    report = imports()
    assert (report.imported, report.refused_count) == (2, 4)
    assert [each.where for each in report.refused] == ["product None", "product 2", "product 3", "page 1, item 4"]


def test_a_busy_shop_is_asked_again_with_growing_pauses(shop: Shop, imports: Imports) -> None:
    shop.failures = {2: Failure(503, 3)}
    assert imports().imported == 250
    assert shop.pages_asked() == [1, 2, 2, 2, 2, 3]
    assert imports.pauses == [1, 2, 4]


def test_a_shop_that_names_its_pause_is_obeyed_within_reason(shop: Shop, imports: Imports) -> None:
    shop.failures = {1: Failure(429, 1, {"Retry-After": "7"}), 2: Failure(429, 1, {"Retry-After": "86400"})}
    assert imports().imported == 250
    assert imports.pauses == [7, 60]


def test_an_import_that_stopped_goes_on_from_its_last_page(shop: Shop, imports: Imports) -> None:
    shop.failures = {3: Failure(500, 6)}
    stopped = imports()
    assert stopped.imported == 200
    assert stopped.problem is not None
    assert "page 3" in stopped.problem
    assert Product.objects.count() == 200
    shop.asked.clear()
    resumed = imports()
    assert (resumed.first_page, resumed.problem) == (2, None)
    assert shop.pages_asked() == [2, 3], "the last page that went in is read again: things may have moved over its edge"
    assert Product.objects.count() == 250
    assert not CatalogImport.objects.exists()


def test_a_product_that_moves_over_the_edge_while_the_import_stands_still_is_not_lost(
    shop: Shop, imports: Imports
) -> None:
    shop.failures = {3: Failure(500, 6)}
    imports()
    del shop.products[0]
    imports()
    assert Product.objects.filter(pk="201").exists()
    assert Product.objects.count() == 250


def test_a_shop_that_cannot_be_reached_keeps_what_is_in(shop: Shop, imports: Imports) -> None:
    report = imports(url="http://127.0.0.1:1")
    assert (report.imported, len(imports.pauses)) == (0, len(woocommerce.PAUSES))
    assert "cannot be reached" in str(report.problem)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (Failure(404, 9), "404"),
        (Failure(302, 9, {"Location": "http://169.254.169.254/"}), "302"),
        (Failure(200, 9, body=b"<html>"), "not JSON"),
        (Failure(200, 9, body=b'{"products": []}'), "no list"),
        (Failure(200, 9, body=b"[" * 100_000), "not JSON"),
    ],
)
def test_what_will_not_get_better_is_not_tried_again(failure: Failure, told: str, shop: Shop, imports: Imports) -> None:
    shop.failures = {2: failure}
    report = imports()
    assert told in str(report.problem)
    assert (report.imported, imports.pauses) == (100, [])


def test_an_endless_page_is_cut_off(shop: Shop, imports: Imports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(woocommerce, "MAX_BYTES", 10_000)
    assert "larger than" in str(imports().problem)


def test_a_wrong_key_is_said_at_once(imports: Imports) -> None:
    report = imports(consumer_secret="wrong")
    assert "refuses the key" in str(report.problem)
    assert imports.pauses == []


def test_a_shop_that_does_not_count_its_pages_is_read_to_the_first_short_one(shop: Shop, imports: Imports) -> None:
    shop.tells_pages = False
    assert imports().imported == 250
    assert shop.pages_asked() == [1, 2, 3]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000",
        "http://localhost",
        "http://169.254.169.254",
        "ftp://shop.example",
        "http://shop.example",
    ],
)
def test_a_shop_on_our_own_network_or_without_tls_is_not_asked(url: str, imports: Imports, shop: Shop) -> None:
    report = imports(url=url, allow_private=False)
    assert (report.imported, imports.pauses) == (0, [])
    assert report.problem
    assert shop.paths == []


def test_the_command_reads_its_secret_from_the_environment_and_reports(
    shop: Shop, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    with pytest.raises(CommandError, match="WOOCOMMERCE_SECRET"):
        call_command("import_catalog", "woocommerce", shop.url, "--key", KEY)
    monkeypatch.setenv("WOOCOMMERCE_SECRET", SECRET)
    call_command("import_catalog", "woocommerce", shop.url, "--key", KEY, "--currency", "MAD")
    assert "250 products imported" in capsys.readouterr().out
    assert SECRET not in repr(WooCommerce(shop.url, KEY, SECRET))
