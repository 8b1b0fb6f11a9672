from hypothesis import given
from hypothesis import strategies as st

from conversations.domain.dialogue.pagination import belongs_to, query_hash, read_page
from conversations.domain.dialogue.record import Pagination
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Meaning
from guards.policy_document import DialoguePolicy
from tests.conversations.dialogue.world import SHOES, Talk, cards, path, resting_in

product_ids = st.lists(st.sampled_from([f"p{n}" for n in range(40)]), max_size=60)


@given(product_ids, st.integers(1, 5), st.sets(st.sampled_from([f"p{n}" for n in range(40)])))
def test_paging_to_the_end_shows_every_unseen_product_once_and_in_order(ids, limit, shown_before):
    results = cards(*ids)
    shown = sorted(shown_before)
    offset, seen_now = 0, []
    while page := read_page(lambda _q, at, n: results[at : at + n], "q", offset, limit, shown):
        assert len(page.cards) <= limit
        seen_now += [card.id for card in page.cards]
        shown += [card.id for card in page.cards]
        if not page.cards:
            assert not page.has_more
            break
        offset += limit
    assert seen_now == [card for card in dict.fromkeys(ids) if card not in shown_before]


@given(product_ids, st.integers(1, 5))
def test_has_more_tells_whether_the_next_page_would_be_empty(ids, limit):
    results = cards(*ids)
    search = lambda _q, at, n: results[at : at + n]  # noqa: E731  # a port of one line
    first = read_page(search, "q", 0, limit, ())
    second = read_page(search, "q", limit, limit, [card.id for card in first.cards])
    assert first.has_more is bool(second.cards)


def test_show_more_is_offered_only_while_there_is_more():
    talk = Talk()
    offered = []
    talk.say("shoes")
    for _ in range(3):
        offered.append(any(b.meaning is Meaning.SHOW_MORE for b in talk.outcomes[-1].reply.quick_replies))
        talk.click(Meaning.SHOW_MORE)
    assert offered == [True, True, False]
    assert path(talk.outcomes[-1]) == ["recommending", "paginating", "idle"]
    assert talk.outcomes[-1].reply.code == "no_more"
    assert talk.side.shown_ids == tuple(card.id for card in SHOES)


def test_a_product_shown_by_one_search_is_not_shown_by_the_next():
    talk = Talk()
    talk.say("shoes")
    again = talk.say("shoes")
    assert path(again) == ["recommending", "idle", "recommending"]
    assert again.state.pagination.offset == 0
    assert [card.id for card in again.reply.cards] == [card.id for card in SHOES[5:10]]
    rest = talk.click(Meaning.SHOW_MORE)
    assert [card.id for card in rest.reply.cards] == [card.id for card in SHOES[10:]]


def test_the_page_size_is_the_policys():
    talk = Talk(policy=DialoguePolicy(page_limit=2))
    assert len(talk.say("shoes").reply.cards) == 2
    assert talk.click(Meaning.SHOW_MORE).state.pagination == Pagination(2, 2, query_hash("shoes"))


def test_a_lost_query_is_asked_for_again_and_the_offset_stays():
    for lost in (Pagination(5, 5, None), Pagination(5, 5, query_hash("hat"))):
        outcome = resting_in(State.RECOMMENDING, pagination=lost).click(Meaning.SHOW_MORE)
        assert path(outcome) == ["recommending", "paginating", "clarifying"]
        assert outcome.state.pagination == lost
        assert (outcome.reply.code, outcome.reply.cards) == ("ask_criteria", ())


def test_show_more_from_idle_has_no_query_to_continue():
    outcome = Talk().say("show more")
    assert path(outcome) == ["idle", "clarifying"]


def test_show_more_while_clarifying_continues_the_live_query():
    outcome = resting_in(State.CLARIFYING, clarification_attempts=1).click(Meaning.SHOW_MORE)
    assert path(outcome) == ["clarifying", "recommending", "paginating", "recommending"]
    assert outcome.state.clarification_attempts == 0


def test_a_page_that_was_being_fetched_is_fetched_again_where_it_stopped():
    talk = resting_in(State.PAGINATING, pagination=Pagination(5, 5, query_hash("shoes")))
    outcome = talk.click(Meaning.SHOW_MORE)
    assert path(outcome) == ["paginating", "recommending"]
    assert [card.id for card in outcome.reply.cards] == [card.id for card in SHOES[5:10]]


def test_a_page_nobody_waits_for_any_more_is_left():
    assert path(resting_in(State.PAGINATING).say("dress")) == ["paginating", "idle", "recommending"]


def test_a_query_is_the_same_however_it_is_typed():
    assert belongs_to("  Red   SHOES! ", query_hash("red shoes"))
    assert not belongs_to(None, None)
