"""`/catalog/products`: filling the catalogue and looking into it."""

import json
from typing import Any

import pytest
from django.db import connection

from conversations.models import Product
from tests.cast import Actor, accepted, refused

pytestmark = pytest.mark.django_db

WHOLE: dict[str, Any] = {
    "id": "42",
    "name": "Robe rouge",
    "description": "Longue, en coton",
    "price": 199.5,
    "currency": "MAD",
    "url": "https://shop.example/robe",
    "image_url": "https://shop.example/robe.jpg",
    "tags": ["été", "coton"],
}


def test_a_product_comes_back_as_it_was_sent(router: Actor) -> None:
    assert accepted(router.post("/catalog/products", [WHOLE])) == {"upserted": 1}
    assert accepted(router.get("/catalog/products"))["results"] == [WHOLE]


def test_only_id_and_name_are_needed(router: Actor) -> None:
    accepted(router.post("/catalog/products", [{"id": "1", "name": "Hat"}]))
    empty = {"description": "", "price": None, "currency": "", "url": "", "image_url": "", "tags": []}
    assert accepted(router.get("/catalog/products"))["results"] == [{"id": "1", "name": "Hat", **empty}]


def test_a_known_id_is_replaced_whole_and_found_by_its_new_words_only(router: Actor) -> None:
    accepted(router.post("/catalog/products", [WHOLE, {"id": "7", "name": "Chapeau"}]))
    accepted(router.post("/catalog/products", [{"id": "42", "name": "Ceinture noire"}]))
    assert [each["id"] for each in accepted(router.get("/catalog/products", q="ceinture"))["results"]] == ["42"]
    assert accepted(router.get("/catalog/products", q="robe"))["results"] == []
    assert Product.objects.get(pk="42").tags == []
    assert Product.objects.count() == 2


def test_of_two_products_with_one_id_the_last_stays(router: Actor) -> None:
    products = [{"id": "1", "name": "First"}, {"id": "1", "name": "Second"}]
    assert accepted(router.post("/catalog/products", products)) == {"upserted": 1}
    assert Product.objects.get().name == "Second"


def test_a_thousand_products_go_in_at_once_and_again(router: Actor) -> None:
    products = [{"id": f"p{number}", "name": f"Product {number}"} for number in range(1000)]
    for _ in range(2):
        assert accepted(router.post("/catalog/products", products)) == {"upserted": 1000}
    assert Product.objects.count() == 1000
    found = accepted(router.get("/catalog/products", q="product 999"))["results"]
    assert [each["id"] for each in found] == ["p999"]


def test_a_thousand_and_one_are_too_many(router: Actor) -> None:
    products = [{"id": f"p{number}", "name": "P"} for number in range(1001)]
    refused(router.post("/catalog/products", products), 422, "invalid")
    assert Product.objects.count() == 0


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"id": ""}, "1.id"),
        ({"id": 7}, "1.id"),
        ({"id": "x" * 201}, "1.id"),
        ({"name": ""}, "1.name"),
        ({"name": None}, "1.name"),
        ({"price": -1}, "1.price"),
        ({"price": "NaN"}, "1.price"),
        ({"price": "Infinity"}, "1.price"),
        ({"price": "a lot"}, "1.price"),
        ({"price": True}, "1.price"),
        ({"price": 123456789012}, "1.price"),
        ({"price": "1.00001"}, "1.price"),
        ({"currency": "dirham"}, "1.currency"),
        ({"url": "javascript:alert(1)"}, "1.url"),
        ({"url": "https://shop.example/a b"}, "1.url"),
        ({"image_url": "//shop.example/x.jpg"}, "1.image_url"),
        ({"tags": "red"}, "1.tags"),
        ({"tags": [7]}, "1.tags.0"),
        ({"colour": "red"}, "1.colour"),
    ],
)
def test_one_bad_product_refuses_them_all_and_is_named(wrong: dict[str, Any], field: str, router: Actor) -> None:
    answer = router.post("/catalog/products", [WHOLE, {"id": "2", "name": "Hat", **wrong}])
    assert [error["field"] for error in refused(answer, 422, "invalid")["errors"]] == [field]
    assert Product.objects.count() == 0


@pytest.mark.parametrize("body", [{}, "products", None, 7, [7], [[]]])
def test_what_is_no_list_of_products_is_refused(body: Any, router: Actor) -> None:
    answer = router.send("/catalog/products", json.dumps(body))
    refused(answer, 422, "invalid")


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
@pytest.mark.parametrize("field", ["id", "name", "description", "tags"])
def test_characters_no_database_keeps_are_refused_not_a_crash(field: str, text: str, router: Actor) -> None:
    value = [text] if field == "tags" else text
    answer = router.post("/catalog/products", [{"id": "1", "name": "Hat", field: value}])
    assert answer.status_code == 422
    assert Product.objects.count() == 0


def test_who_may_fill_and_who_may_look(router: Actor, auditor: Actor, editor: Actor, nobody: Actor) -> None:
    refused(auditor.post("/catalog/products", [WHOLE]), 403, "forbidden")
    refused(editor.post("/catalog/products", [WHOLE]), 403, "forbidden")
    refused(nobody.post("/catalog/products", [WHOLE]), 401, "unauthorized")
    accepted(auditor.get("/catalog/products"))
    assert Product.objects.count() == 0


@pytest.mark.sqlite
def test_the_index_is_sound_after_inserts_replacements_and_deletions(router: Actor) -> None:
    accepted(router.post("/catalog/products", [WHOLE, {"id": "7", "name": "Chapeau"}]))
    accepted(router.post("/catalog/products", [{**WHOLE, "name": "Ceinture"}]))
    Product.objects.filter(pk="7").delete()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO conversations_product_fts(conversations_product_fts) VALUES ('integrity-check')")
