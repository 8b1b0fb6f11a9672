"""Counting in slices, counting again and counting directly give the same figures, whatever came in between."""

import random
import threading
from collections.abc import Iterator
from unittest.mock import patch
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from audit.metrics.keys import Measure
from audit.models import DayFigure, RollupCursor
from audit.selectors.figures import Figures
from audit.selectors.rollups import cursor_position
from audit.services import rollups
from audit.services.rollups import roll_up
from audit.services.sequencer import sequence
from conversations.models import Relationship
from conversations.services.erasure import erase_payloads
from conversations.services.sweeping import sweep_expired
from tests.audit.rollups.world import (
    FLOW,
    World,
    caught_up,
    counted_directly,
    parts_of_figures,
    published_flow,
    stored,
)
from tests.cast import Actor, Clock, Opens, accepted
from tests.ledger.cast import conversation, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(request: pytest.FixtureRequest, router: Actor, operator: Actor, opened: Opens, clock: Clock) -> World:
    published_flow()
    return World(getattr(request, "param", 7), router=router, operator=operator, opened=opened, clock=clock)


@pytest.mark.parametrize("world", range(6), indirect=True)
def test_random_slices_a_rebuild_and_a_direct_count_agree(world: World, clock: Clock) -> None:
    draw = random.Random(world.numbers)
    for _ in range(6):
        world.happen(12)
        sequence(wait=True)
        roll_up(now=clock.now, limit=draw.randint(1, 40))
    sweep_expired()
    sliced = caught_up(clock)
    assert sliced == counted_directly() == parts_of_figures()
    call_command("rebuild_rollups", verbosity=0)
    assert stored() == sliced
    assert {measure for _, measure, *_ in sliced} >= {"started", "closed", "flow_started", "messages", "guard"}


def test_an_interruption_anywhere_changes_nothing_and_the_next_run_makes_it_up(world: World, clock: Clock) -> None:
    world.happen(20)
    caught_up(clock)
    world.happen(20)
    sequence(wait=True)
    before, position = stored(), cursor_position()
    for step in ("move_cursor", "add_to_figures", "forget"):
        for fails in breaking(step):
            with pytest.raises(DatabaseError), fails:
                roll_up(now=clock.now)
            assert (stored(), cursor_position()) == (before, position)
    assert caught_up(clock) == counted_directly()


def breaking(step: str) -> Iterator[object]:
    """The step fails before it did anything, and after it did everything."""
    real = getattr(rollups, step)

    def after(*args: object, **kwargs: object) -> object:
        real(*args, **kwargs)
        raise DatabaseError("gone")

    yield patch.object(rollups, step, side_effect=DatabaseError("gone"))
    yield patch.object(rollups, step, side_effect=after)


def test_a_rival_who_was_faster_makes_a_slice_void(world: World, clock: Clock) -> None:
    world.happen(30)
    sequence(wait=True)
    real = rollups.talks_of

    def overtaken(ids: list[UUID]) -> object:
        """The other one reads, writes and moves the cursor while this one is still reading."""
        with patch.object(rollups, "talks_of", real):
            roll_up(now=clock.now)
        return real(ids)

    with patch.object(rollups, "talks_of", overtaken):
        assert roll_up(now=clock.now) == 0
    assert stored() == counted_directly()


@pytest.mark.postgres  # SQLite has one writer: ids commit in order
@pytest.mark.django_db(transaction=True)
def test_an_event_that_commits_late_is_counted(clock: Clock) -> None:
    late, other = conversation(exchanges=0), conversation(exchanges=0)
    caught_up(clock)
    wrote, go_on = threading.Event(), threading.Event()

    def slow_writer() -> None:
        try:
            with transaction.atomic():
                say(late.pk, "response_late")
                wrote.set()
                assert go_on.wait(20)
        finally:
            connection.close()

    writer = threading.Thread(target=slow_writer)
    writer.start()
    assert wrote.wait(20)
    say(other.pk, "response_early")  # a higher id, committed and counted first
    caught_up(clock)
    assert messages() == 1
    go_on.set()
    writer.join(20)
    caught_up(clock)
    assert messages() == 2
    assert stored() == counted_directly()


def messages() -> int:
    return sum(count for key, (_, count, _) in stored().items() if key.measure == Measure.MESSAGES)


def test_a_conversation_is_taken_back_and_counted_anew_when_it_moves_on(
    router: Actor, opened: Opens, clock: Clock
) -> None:
    path = opened()
    caught_up(clock)
    assert {key.subject for key in stored() if key.measure == Measure.DEPTH} == {"0"}
    router.post(f"{path}/intents", {"sender": "bank", "intent": "offer"})
    router.post(f"{path}/rating", {"score": 2})
    caught_up(clock)
    router.post(f"{path}/rating", {"score": 5})
    figures = caught_up(clock)
    assert {key.subject for key in figures if key.measure == Measure.DEPTH} == {"1"}
    assert [(key.subject, sums) for key, sums in figures.items() if key.measure == Measure.RATING] == [("5", (1, 1, 5))]
    assert not DayFigure.objects.filter(conversations=0).exists()


@pytest.mark.parametrize("world", range(4), indirect=True)
def test_an_erasure_changes_no_figure(world: World, router: Actor, opened: Opens, clock: Clock) -> None:
    world.happen(60)
    dialogue = opened(driver="assistant")
    for number in range(3):
        router.post(f"{dialogue}/turns", {"message_id": str(number), "text": "human" if number else "asdf qwer"})
    router.post(f"{opened(driver='workflow')}/intents", {"sender": "bank", "intent": "ask", "context": {"why": "so"}})
    before = caught_up(clock)
    assert any(key.measure == Measure.GUARD and key.driver == "assistant" for key in before)
    told = over_the_api(router)
    for pk in Relationship.objects.values_list("pk", flat=True):
        erase_payloads(relationship_id=pk, seqs=None, basis="asked for", by="user:1", now=clock.now)
    assert caught_up(clock) == counted_directly() == before
    call_command("rebuild_rollups", verbosity=0)
    assert stored() == before
    assert over_the_api(router) == told


def over_the_api(router: Actor) -> list[object]:
    paths = [f"/metrics/relationships/{pk}" for pk in Relationship.objects.order_by("pk").values_list("pk", flat=True)]
    return [accepted(router.get(path)) for path in ("/metrics/loops", f"/metrics/flows/{FLOW}", *paths)]


def test_a_page_counts_what_is_not_rolled_up_yet(world: World, clock: Clock) -> None:
    world.happen(25)
    caught_up(clock)
    world.happen(25)
    sequence(wait=True)
    world.happen(10)
    measures = list(Measure)
    ahead = Figures().by("subject", measures, None, None)
    assert not Figures().behind
    caught_up(clock)
    assert Figures().ahead == {}
    assert Figures().by("subject", measures, None, None) == ahead


def test_too_much_to_look_ahead_is_said(world: World, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    world.happen(10)
    monkeypatch.setattr("audit.selectors.rollups.LOOK_AHEAD", 3)
    figures = Figures()
    assert (figures.ahead, figures.behind) == ({}, True)
    caught_up(clock)
    assert not Figures().behind


def test_nothing_to_count_moves_nothing(clock: Clock) -> None:
    assert roll_up(now=clock.now) == 0
    assert not RollupCursor.objects.exists()
