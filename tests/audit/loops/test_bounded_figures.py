"""Loop metrics, cases and the editor's overlay come from what is rolled up, and say what a direct count says."""

import random
from datetime import datetime
from statistics import mean
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.metrics.parts.workflow import length
from audit.metrics.rates import accuracy
from audit.models import LoopCase
from audit.selectors.case_rows import case_rows
from audit.selectors.flow_overlay import figures_by_node
from audit.selectors.loop_cases import LabelledCases
from audit.selectors.talks import talks_of
from audit.services.labels import draw_samples, label_conversation
from conversations.models import LoopFinding, Relationship
from tests.audit.loops.world import looping, steps
from tests.audit.rollups.world import FLOW, World, caught_up, published_flow
from tests.cast import Actor, Clock, Opens, accepted

pytestmark = pytest.mark.django_db
BY = ("rule", "channel", "flow", "policy_version")


@pytest.fixture
def world(router: Actor, operator: Actor, opened: Opens, clock: Clock) -> World:
    published_flow()
    return World(11, router=router, operator=operator, opened=opened, clock=clock)


def busy(world: World) -> None:
    """Conversations of every kind, some of them looping, some labelled by one or two people."""
    world.happen(40)
    for number in range(4):
        looping(world.router, world.opened)
        world.clock.advance(hours=5)
        world.router.post(
            f"{world.opens(driver='workflow')}/intents", {"sender": "bank", "intent": "a", "context": {"n": number}}
        )
        steps(world.router, world.opens(driver="workflow"), ["plan", "read", "write"][: number + 1])
    draw_samples(now=world.clock.now)
    draw = random.Random(3)
    for pk in draw.sample(ids(), 12):
        for reader in draw.sample(["ann", "ben", "cleo"], draw.randint(1, 3)):
            label(pk, draw.random() < 0.5, reader, world.clock.now)


def ids() -> list[Any]:
    return list(Relationship.objects.order_by("created_at", "pk").values_list("pk", flat=True))


def label(pk: Any, is_loop: bool, reviewer: str, now: datetime) -> None:
    label_conversation(relationship_id=pk, is_loop=is_loop, finding_id=None, note="", reviewer=reviewer, now=now)


def stored_cases() -> list[dict[str, Any]]:
    return list(LoopCase.objects.order_by("pk").values())


def worked_out() -> list[dict[str, Any]]:
    rows = sorted(case_rows(ids()), key=lambda row: str(row.pk))
    return [{name: getattr(row, name) for name in stored_cases()[0]} for row in rows]


@pytest.mark.parametrize("rolled_up", [True, False])
@pytest.mark.parametrize("since", [None, 3, 17])
def test_the_sums_are_what_the_conversations_say(
    world: World, router: Actor, clock: Clock, rolled_up: bool, since: int | None
) -> None:
    busy(world)
    if rolled_up:
        caught_up(clock)
    rows = list(Relationship.objects.order_by("created_at", "pk"))
    moment = rows[since].created_at if since else None
    chosen = [row for row in rows if moment is None or row.created_at >= moment]
    talks = talks_of([row.pk for row in chosen])
    alarmed = set(LoopFinding.objects.values_list("relationship_id", flat=True))
    ended = [row for row in chosen if row.closed_at]
    well = [row for row in ended if row.outcome in ("success", "completed_with_signature") or complete(row)]
    rated = [row.rating for row in chosen if row.rating]
    query = {"since": moment.isoformat()} if moment else {}
    told = accepted(router.get("/metrics/loops", **query))
    assert told["totalWorkflows"] == len(chosen)
    assert told["loopsDetected"] == sum(row.pk in alarmed for row in chosen) > 0
    assert told["averageWorkflowLength"] == pytest.approx(mean(map(length, talks.values())), abs=1e-4)
    assert told["successRate"] == (pytest.approx(len(well) / len(ended), abs=1e-4) if ended else None)
    assert told["userSatisfactionScore"] == (pytest.approx(mean(rated), abs=1e-4) if rated else None)
    for by in BY:
        groups = accepted(router.get("/metrics/loops", by=by, **query))["groups"]
        assert sum(group["totalWorkflows"] for group in groups) == len(chosen), by
        assert sum(group["loopsDetected"] for group in groups) == told["loopsDetected"]


def complete(row: Relationship) -> bool:
    run = getattr(row, "flow_run", None)
    return run is not None and run.status == "COMPLETE"


def test_stored_cases_are_what_labels_findings_and_samples_say(world: World, clock: Clock) -> None:
    busy(world)
    assert len(stored_cases()) == 12
    assert sorted(stored_cases(), key=lambda row: str(row["relationship_id"])) == worked_out()
    before = stored_cases()
    LoopCase.objects.all().delete()
    call_command("rebuild_rollups", verbosity=0)
    assert stored_cases() == before


def test_an_alarm_after_the_label_reaches_the_case(router: Actor, opened: Opens, clock: Clock) -> None:
    run = opened(driver="workflow")
    label(run.rpartition("/")[2], True, "ann", clock.now)
    assert not LoopCase.objects.get().detected
    steps(router, run, ["list", "list", "list"])
    caught_up(clock)
    assert (LoopCase.objects.get().detected, LoopCase.objects.get().rule) == (True, "repeated_call")


@pytest.mark.parametrize("by", [*BY, "week", "lag", "peak"])
def test_cases_taken_together_give_the_figures_of_each_alone(world: World, by: str) -> None:
    busy(world)
    source = LabelledCases()
    assert accuracy(source.alike(by)) == accuracy(list(source.each()))


def test_what_it_costs_does_not_grow_with_what_is_stored(world: World, router: Actor, clock: Clock) -> None:
    busy(world)
    caught_up(clock)
    router.get("/metrics/loops", by="rule")
    with CaptureQueriesContext(connection) as few:
        router.get("/metrics/loops", by="rule")
    busy(world)
    caught_up(clock)
    with CaptureQueriesContext(connection) as many:
        router.get("/metrics/loops", by="rule")
    assert len(many) == len(few)
    big = ("relationship", "turnlog", "event", "loopfinding", "loopwatch")
    assert not [query["sql"] for query in many if any(f'FROM "conversations_{table}"' in query["sql"] for table in big)]


def test_the_editors_overlay_says_what_the_turn_logs_say(world: World, clock: Clock) -> None:
    world.happen(80)
    caught_up(clock)
    world.happen(20)
    talks = [talk for talk in talks_of(ids()).values() if talk.flow == FLOW and talk.status]
    told = figures_by_node(FLOW)
    assert told
    for node, figures in told.items():
        tries = [[line for line in talk.log if line.node_id == node] for talk in talks]
        assert figures.tried == sum(
            any(line.mode in ("EXECUTE", "RETRY", "BROADEN") for line in each) for each in tries
        )
        assert figures.handoffs == sum(line.mode == "HANDOFF" for each in tries for line in each)
        ended = [talk for talk in talks if talk.closed and talk.status != "COMPLETE" and talk.log]
        assert figures.dropped == sum(talk.log[-1].node_id == node for talk in ended)
