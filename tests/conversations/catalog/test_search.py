"""Both databases find the same products for the same words, in a sensible order."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.models import Product
from conversations.selectors.products import cards, found
from conversations.services.catalog import ProductData, upsert_products
from tests.cast import Actor, accepted

pytestmark = pytest.mark.django_db


def ids(query: str, **page: int) -> list[str]:
    return [product.pk for product in found(query, **{"limit": 50, **page})]


@pytest.fixture
def shop() -> None:
    upsert_products(
        [
            ProductData(id="cafe", name="Café moulu", tags=("épicerie",)),
            ProductData(id="robe", name="Robe d’été", description="Une robe légère"),
            ProductData(id="belt", name="Ceinture", description="Va avec robe robe robe robe robe robe et jupe"),
            ProductData(id="shoe-42", name="Running shoes", description="Size 42.5, colour navy/white"),
            ProductData(id="tee", name="T-Shirt USB-C/HDMI", tags=("O'Neill",)),
            ProductData(id="arabic", name="قفطان مغربي"),
            ProductData(id="strasse", name="STRASSE Straße"),
        ]
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("café", ["cafe"]),
        ("CAFE", ["cafe"]),
        ("cafe\u0301 moul", ["cafe"]),
        ("epicerie", ["cafe"]),
        ("runn", ["shoe-42"]),
        ("shoes running", ["shoe-42"]),
        ("42", ["shoe-42"]),
        ("white", ["shoe-42"]),
        ("hdmi", ["tee"]),
        ("t-shirt", ["tee"]),
        ("o'neill", ["tee"]),
        ("قفطان", ["arabic"]),
        ("strasse", ["strasse"]),
        ("unning", []),
        ("", []),
        ("!!! ...", []),
        ("_", []),
    ],
)
def test_words_are_found_whole_or_as_a_beginning_whatever_their_case_and_accents(
    query: str, expected: list[str], shop: None
) -> None:
    assert ids(query) == expected


def test_a_name_counts_more_than_any_number_of_mentions(shop: None) -> None:
    assert ids("robe") == ["robe", "belt"]


def test_products_with_every_word_come_alone_and_any_word_only_when_there_are_none(shop: None) -> None:
    assert ids("robe jupe") == ["belt"]
    assert ids("robe zeppelin") == ["robe", "belt"]


def test_equal_products_are_ordered_by_id_and_pages_join(shop: None) -> None:
    upsert_products([ProductData(id=f"h{number}", name="Hat") for number in (3, 1, 2)])
    assert ids("hat") == ["h1", "h2", "h3"]
    assert ids("hat", limit=2) + ids("hat", limit=2, offset=2) == ["h1", "h2", "h3"]


@pytest.mark.parametrize(
    "attack",
    [
        "' OR 1=1 --",
        '" OR "a" MATCH "b',
        "robe'; DROP TABLE conversations_product; --",
        "robe) & !(x",
        "robe:* | !robe",
        "NEAR(robe jupe)",
        "words : robe",
        "robe* ^ - +",
        "%d {in_title} %%robe",
        "robe\x00jupe",
        "a" * 100_000,
        "robe " * 10_000,
        "²³ ½ Ⅷ ﷺ 𝕣𝕠𝕓𝕖",
        "\u200d\u202e\ufeff",
    ],
)
def test_no_query_is_more_than_words(attack: str, shop: None) -> None:
    before = Product.objects.count()
    assert set(ids(attack)) <= {"robe", "belt"}
    assert Product.objects.count() == before


@given(query=st.text(max_size=60))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_answered(query: str, shop: None) -> None:
    found(query, limit=5)


@given(name=st.text(min_size=1, max_size=30).filter(lambda name: "\x00" not in name))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_product_is_found_by_its_own_name_if_that_has_a_word(name: str, db: None) -> None:
    upsert_products([ProductData(id="it", name=name)])
    assert ids(name) in (["it"], [])
    if any("a" <= letter <= "z" for letter in name):
        assert ids(name) == ["it"]


def test_the_api_searches_likewise_and_cards_carry_prices_plainly(router: Actor, shop: None) -> None:
    accepted(router.post("/catalog/products", [{"id": "p", "name": "Kaftan", "price": 1500, "currency": "MAD"}]))
    assert [each["id"] for each in accepted(router.get("/catalog/products", q="kaft"))["results"]] == ["p"]
    assert [(card.price, card.currency) for card in cards("kaftan", 0, 5)] == [("1500", "MAD")]
