"""One detector over every driver: loops in flows and in persona threads are found as those between agents are."""

import pytest

from conversations.models import LoopFinding, LoopWatch
from tests.cast import Actor, Clock, Opens
from tests.conversations.threads.world import World, make_personas
from tests.flows.api.support import SLUG, Visitor, contact_flow, published
from tests.flows.engine.support import asker, policy, teller

pytestmark = pytest.mark.django_db
PLEA = "I only want to speak to somebody about my late parcel"


def test_a_flow_whose_visitor_only_repeats_themselves(router: Actor, editor: Actor, opened: Opens) -> None:
    ask = asker("mail-1", ["email"], ["CONTACT"], prompts=["Your email address?"], retryPolicy=policy(9, "HANDOFF"))
    published(editor, contact_flow(nodes=[teller(importance="high", prompts=["Hello."]), ask]))
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    for _ in range(4):
        visitor.say(PLEA)
    found = LoopFinding.objects.order_by("seq").first()
    assert found is not None
    assert found.unit == "event"
    assert found.rule in {"repeated_call", "repeated_message", "cycle"}
    assert len(found.evidence) >= 3


def test_a_thread_in_which_somebody_says_the_same_again_and_again(router: Actor, editor: Actor, clock: Clock) -> None:
    make_personas("ada")
    world = World(router, editor, clock)
    for _ in range(4):
        world.say(sender="visitor", text=PLEA)
    assert [found.rule for found in LoopFinding.objects.order_by("seq")][:1] == ["repeated_message"]


def test_a_thread_of_different_lines_is_quiet(router: Actor, editor: Actor, clock: Clock) -> None:
    make_personas("ada")
    world = World(router, editor, clock)
    for text in ("good morning all", "who is on the stand today", "the boxes have come", "see you at noon"):
        world.say(sender="visitor", text=text)
    assert LoopWatch.objects.get().length == 4
    assert not LoopFinding.objects.exists()
