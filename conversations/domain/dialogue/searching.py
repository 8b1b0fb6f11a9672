"""Searching and paging, from whichever state asks for it."""

from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import button, clarify, fail, say
from conversations.domain.dialogue.pagination import (
    CatalogueUnavailableError,
    Page,
    belongs_to,
    query_hash,
    read_page,
)
from conversations.domain.dialogue.record import Pagination
from conversations.domain.dialogue.reply import QuickReply
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Meaning


def search(draft: Draft, situation: Situation, trigger: str) -> Draft:
    """Start a new query: cards lead to recommending, none to idle."""
    query = situation.turn.understood.query
    if not query:
        return clarify(draft, situation, "ask_query", "missing_query")
    if draft.at is State.RECOMMENDING:
        draft = draft.hop(State.IDLE, "new_search")
    limit = situation.policy.page_limit
    try:
        page = read_page(situation.search, query, 0, limit, draft.side.shown_ids)
    except CatalogueUnavailableError:
        return fail(draft, situation, "search_failed")
    if page.cards:
        draft = draft.hop(State.RECOMMENDING, trigger)
        return _show(draft, situation, page, Pagination(0, limit, query_hash(query)), query=query, code="found")
    if draft.at is State.CLARIFYING:
        draft = draft.hop(State.RECOMMENDING, trigger).hop(State.IDLE, "no_results")
    return say(_forget_query(draft), situation, "none_found", query=query)


def show_more(draft: Draft, situation: Situation) -> Draft:
    """Turn the page of the live query, from recommending."""
    position = draft.state.pagination
    draft = draft.hop(State.PAGINATING, "show_more")
    return fetch_page(draft, situation, replace(position, offset=position.offset + position.limit))


def fetch_page(draft: Draft, situation: Situation, position: Pagination) -> Draft:
    """Read the page at a position, from paginating; the position is kept only once its page was read."""
    query = draft.side.query
    if query is None or not belongs_to(query, position.last_query_hash):
        return clarify(draft, situation, "ask_criteria", "query_context_lost")
    try:
        page = read_page(situation.search, query, position.offset, position.limit, draft.side.shown_ids)
    except CatalogueUnavailableError:
        return fail(draft, situation, "pagination_failed")
    if page.cards:
        draft = draft.hop(State.RECOMMENDING, "page_found")
        return _show(draft, situation, page, position, query=query, code="more_found")
    draft = draft.hop(State.IDLE, "no_more_results")
    draft = replace(draft, state=replace(draft.state, pagination=position))
    return say(draft, situation, "no_more")


def _show(draft: Draft, situation: Situation, page: Page, position: Pagination, *, query: str, code: str) -> Draft:
    shown = (*draft.side.shown_ids, *(card.id for card in page.cards))
    draft = replace(
        draft,
        state=replace(draft.state, pagination=position),
        side=replace(draft.side, query=query, shown_ids=shown),
        progress=True,
    )
    buttons = tuple(QuickReply(card.title, Meaning.SELECT, card.id) for card in page.cards)
    if page.has_more:
        buttons += (button(situation, Meaning.SHOW_MORE),)
    return say(draft, situation, code, buttons=buttons, cards=page.cards, query=query)


def _forget_query(draft: Draft) -> Draft:
    pagination = replace(draft.state.pagination, offset=0, last_query_hash=None)
    return replace(draft, state=replace(draft.state, pagination=pagination), side=replace(draft.side, query=None))
