"""Whatever a visitor does, the machine keeps its promises."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.domain.dialogue.draft import Owner
from conversations.domain.dialogue.states import RESETTING, State, is_legal
from conversations.domain.intents.types import Meaning
from tests.conversations.dialogue.world import Talk

texts = st.sampled_from(
    [
        "shoes",
        "dress",
        "hat",
        "hmm",
        "yes",
        "la",
        "ok but blue",
        "show more",
        "hello",
        "merci",
        "select s1",
        "human",
    ]
)
clicks = st.tuples(st.sampled_from(Meaning), st.sampled_from([None, "s1", "d0"]))
moves = st.tuples(texts | clicks, st.sampled_from([0, 1, 200, 400, 2000]), st.booleans())


@settings(deadline=None, max_examples=200)
@given(st.lists(moves, max_size=25), st.sampled_from([Owner.BOT, Owner.BOT, Owner.QUEUE, Owner.OPERATOR]))
def test_every_talk_keeps_the_table_the_schema_and_the_caps(visit, owner):
    talk = Talk(owner=owner)
    at, prompts = State.IDLE, 0
    for move, seconds, shop_is_down in visit:
        talk.wait(seconds=seconds)
        talk.shop_is_down = shop_is_down
        outcome = talk.say(move) if isinstance(move, str) else talk.click(*move)
        hops = [(State(source), State(target)) for source, target, _ in outcome.transitions]
        assert all(is_legal(*hop) for hop in hops)
        assert all(one[1] is two[0] for one, two in pairwise(hops))
        if hops:
            assert (hops[0][0], hops[-1][1]) == (at, outcome.state.state)
        at = outcome.state.state
        assert outcome.state.clarification_attempts <= 2
        asked = at is State.CLARIFYING and outcome.reply is not None and owner is Owner.BOT
        started_anew = any(target in RESETTING for _, target in hops)
        prompts = (0 if started_anew else prompts) + 1 if asked else 0
        assert prompts <= 2
        assert outcome.reply is None or len(outcome.reply.cards) <= 5
        assert (outcome.action_confirmed is None) or not outcome.reset_reason
    assert len(talk.side.shown_ids) == len(set(talk.side.shown_ids))
    assert len([o for o in talk.outcomes if o.action_confirmed]) <= len(
        [o for o in talk.outcomes if o.state.state is State.AWAITING_CONFIRMATION]
    )


@given(st.lists(moves, max_size=10))
def test_the_same_talk_comes_out_the_same(visit):
    def play():
        talk = Talk()
        for move, seconds, shop_is_down in visit:
            talk.wait(seconds=seconds)
            talk.shop_is_down = shop_is_down
            talk.say(move) if isinstance(move, str) else talk.click(*move)
        return talk.outcomes

    assert play() == play()
