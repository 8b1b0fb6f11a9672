"""Pages without repeats and without gaps (D2, D3, D11), as the visitor sees them."""

from typing import Any

import pytest
from django.utils import timezone

from conversations import product_search
from conversations.models import Dialogue
from conversations.services.erasure import erase_payloads
from tests.cast import Actor, accepted
from tests.conversations.assistant.conftest import Arrives
from tests.conversations.assistant.world import SHOES, Visitor, card_ids, policy, route, state

pytestmark = pytest.mark.django_db


def test_turning_every_page_shows_each_product_once_and_ends_in_idle(visitor: Visitor) -> None:
    visitor.say("running shoes")
    pages = [visitor.click("show_more") for _ in range(3)]
    assert visitor.cards_seen == SHOES
    assert [len(card_ids(page)) for page in pages] == [5, 2, 0]
    assert route(pages[-1]) == ["recommending", "paginating", "idle"]


def test_show_more_is_offered_only_while_there_is_more(visitor: Visitor) -> None:
    def offered(answer: dict[str, Any]) -> bool:
        return any(button["meaning"] == "show_more" for button in answer["reply"]["quick_replies"])

    assert [offered(visitor.say("running shoes")), offered(visitor.click("show_more"))] == [True, True]
    assert not offered(visitor.click("show_more"))


def test_a_card_and_its_button_have_the_contracts_fields(visitor: Visitor) -> None:
    reply = visitor.say("summer dress")["reply"]
    card = {"id": "dress-1", "title": "Summer dress 1", "description": "", "price": None, "currency": "MAD"}
    assert reply["cards"][0] == {**card, "url": None, "image_url": None}
    assert reply["quick_replies"][0] == {"title": "Summer dress 1", "meaning": "select", "target_id": "dress-1"}


def test_a_product_shown_once_is_not_shown_again_first_pages_included(visitor: Visitor) -> None:
    visitor.say("summer dress")
    assert state(visitor.say("running shoes")) == "recommending"
    again = visitor.say("running shoes")
    assert card_ids(again) == SHOES[5:10]
    assert route(again) == ["recommending", "idle", "recommending"]
    assert again["dialogue"]["pagination"]["offset"] == 0
    nothing_new = visitor.say("summer dress")
    assert (state(nothing_new), card_ids(nothing_new)) == ("idle", [])
    assert len(visitor.cards_seen) == len(set(visitor.cards_seen))


def test_a_page_is_filled_past_products_that_were_shown_by_another_search(visitor: Visitor) -> None:
    visitor.say("shoes 02")
    visitor.say("running shoes")
    while card_ids(visitor.click("show_more")):
        pass
    assert sorted(visitor.cards_seen) == SHOES


def test_another_visitor_sees_everything_again(arrives: Arrives) -> None:
    assert card_ids(arrives().say("running shoes")) == card_ids(arrives().say("running shoes")) == SHOES[:5]


def test_show_more_without_a_query_asks_what_is_looked_for(visitor: Visitor) -> None:
    answer = visitor.click("show_more")
    assert (state(answer), card_ids(answer)) == ("clarifying", [])


@pytest.mark.parametrize("lost", ["another", None])
def test_show_more_with_a_lost_context_asks_and_keeps_the_offset(lost: str | None, visitor: Visitor) -> None:
    document = visitor.say("running shoes")["dialogue"]
    visitor.rewrite_state({**document, "pagination": {**document["pagination"], "last_query_hash": lost}})
    answer = visitor.click("show_more")
    assert route(answer) == ["recommending", "paginating", "clarifying"]
    assert answer["dialogue"]["pagination"]["offset"] == 0


def test_a_search_without_results_rests_in_idle(visitor: Visitor) -> None:
    answer = visitor.say("zeppelin", intent="product_search")
    assert (state(answer), card_ids(answer)) == ("idle", [])
    assert answer["dialogue"]["pagination"]["last_query_hash"] is None


def test_a_smaller_page_applies_to_the_next_search(visitor: Visitor, editor: Actor) -> None:
    policy(editor, page_limit=2)
    first = visitor.say("running shoes")
    assert (card_ids(first), first["dialogue"]["pagination"]["limit"]) == (SHOES[:2], 2)
    assert visitor.click("show_more")["dialogue"]["pagination"]["offset"] == 2
    assert visitor.cards_seen == SHOES[:4]


def test_a_catalogue_that_fails_is_an_error_and_the_next_message_recovers(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(product_search, "POSTGRES_QUERY", "SELECT nonsense {in_title}")
        broken.setattr(product_search, "SQLITE_QUERY", "SELECT nonsense {in_title}")
        answer = visitor.say("running shoes")
    assert (state(answer), answer["status"]) == ("error", "OK")
    recovered = visitor.say("running shoes")
    assert route(recovered) == ["error", "idle", "recommending"]
    assert card_ids(recovered) == SHOES[:5]


def test_the_third_failure_in_a_row_is_handed_over(
    visitor: Visitor, router: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(product_search, "POSTGRES_QUERY", "SELECT nonsense {in_title}")
    monkeypatch.setattr(product_search, "SQLITE_QUERY", "SELECT nonsense {in_title}")
    answers = [visitor.say(text) for text in ("running shoes", "summer dress", "running shoes")]
    assert [state(each) for each in answers] == ["error", "error", "handoff"]
    assert accepted(router.get(f"/handoffs/{answers[-1]['handoff_id']}"))["reason"] == "repeated_errors"


def test_an_erased_search_is_in_no_column_either(visitor: Visitor) -> None:
    visitor.say("running shoes")
    relationship_id = visitor.stored().pk
    erase_payloads(relationship_id=relationship_id, seqs=[2], basis="request", by="test", now=timezone.now())
    assert not Dialogue.objects.filter(query__icontains="shoes").exists()
    assert state(visitor.say("summer dress")) == "recommending"
