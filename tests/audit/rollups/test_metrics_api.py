"""Seed 001's figures over the wire, per flow and per conversation, with the denominators of F22."""

import csv
import io
from typing import Any

import pytest
from django.http import HttpResponse

from audit.models import DayFigure
from audit.selectors.talks import talks_of
from conversations.models import Relationship
from flows.engine.figures import Run, flow_figures
from tests.audit.rollups.world import World, caught_up
from tests.cast import Actor, Clock, Opens, accepted, refused
from tests.flows.api.support import SLUG, contact_flow, published

pytestmark = pytest.mark.django_db
MAIL = {"contact_email": "ann@example.org"}
Document = dict[str, Any]


class Visits:
    """Visitors of the contact flow: it greets, asks for an address twice at most, then hands over."""

    def __init__(self, router: Actor, opened: Opens) -> None:
        self.router, self.opened = router, opened

    def visit(self, *replies: dict[str, str]) -> str:
        path = self.opened(driver="flow", flow=SLUG)
        for number, facts in enumerate([{}, *replies]):
            text = "hello" if number else ""
            accepted(self.router.post(f"{path}/turns", {"message_id": str(number), "text": text, "facts": facts}))
        return path


@pytest.fixture
def visits(router: Actor, editor: Actor, opened: Opens, clock: Clock) -> Visits:
    published(editor, contact_flow())
    return Visits(router, opened)


def rows_of(answer: HttpResponse) -> list[dict[str, str]]:
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_a_flow_nobody_met_has_no_rates(visits: Visits, auditor: Actor) -> None:
    assert accepted(auditor.get(f"/metrics/flows/{SLUG}")) == {
        "flow": SLUG,
        "started": 0,
        "closed": 0,
        "completion_rate": None,
        "handoff_rate": None,
        "deadlocks": 0,
        "average_conversation_length": None,
        "average_attempts_per_node": {},
        "most_retried_nodes": [],
        "most_common_handoff_points": [],
        "gate_satisfaction": [],
    }


def test_every_figure_of_a_flow_with_its_own_denominator(visits: Visits, router: Actor, editor: Actor) -> None:
    visits.visit(MAIL)  # closed, complete
    visits.visit({}, MAIL)  # one retry, closed, complete
    visits.visit({}, {})  # exhausted: handed over, open
    ended = visits.visit({})  # one retry, closed by hand short of the goal
    accepted(router.post(f"{ended}/close", {"closure_type": "user_terminated"}))
    visits.visit()  # asked once, open
    visits.opened(driver="flow", flow=SLUG)  # never answered: it met nobody and counts nowhere
    figures = accepted(editor.get(f"/metrics/flows/{SLUG}"))
    assert (figures["started"], figures["closed"]) == (5, 3)
    assert figures["completion_rate"] == pytest.approx(2 / 3, abs=1e-4)  # COMPLETE / closed
    assert figures["handoff_rate"] == 0.2  # with a HANDOFF entry / started
    assert figures["deadlocks"] == 0
    tried = figures["average_attempts_per_node"]
    assert tried["mail-1"] == pytest.approx(8 / 5, abs=1e-4)  # over the conversations that tried it
    assert figures["most_retried_nodes"] == [{"node": "mail-1", "count": 3}]
    assert figures["most_common_handoff_points"] == [{"node": "mail-1", "count": 1}]
    assert {"gate": "CONTACT", "count": 2} in figures["gate_satisfaction"]
    assert figures["average_conversation_length"] == pytest.approx((2 + 3 + 4 + 3 + 2) / 5, abs=1e-4)


def test_rolled_up_or_not_the_answer_is_the_same(visits: Visits, auditor: Actor, clock: Clock) -> None:
    visits.visit(MAIL)
    visits.visit({}, {})
    before = accepted(auditor.get(f"/metrics/flows/{SLUG}"))
    caught_up(clock)
    assert DayFigure.objects.exists()
    assert accepted(auditor.get(f"/metrics/flows/{SLUG}")) == before
    visits.visit({})
    assert accepted(auditor.get(f"/metrics/flows/{SLUG}"))["started"] == 3


@pytest.mark.parametrize("seed", range(3))
def test_the_sums_are_what_the_pure_figures_say(
    seed: int, visits: Visits, router: Actor, operator: Actor, opened: Opens, clock: Clock
) -> None:
    world = World(seed, router=router, operator=operator, opened=opened, clock=clock)
    world.flow = SLUG
    world.happen(60)
    caught_up(clock)
    world.happen(20)
    talks = [talk for talk in talks_of(all_conversations()).values() if talk.flow == SLUG and talk.status]
    pure = flow_figures([Run(talk.status, talk.closed is not None, talk.log) for talk in talks if talk.status])
    told = accepted(router.get(f"/metrics/flows/{SLUG}"))
    assert told["started"] == pure.started > 0
    assert told["closed"] == pure.closed
    assert told["deadlocks"] == pure.deadlocks
    for name, value in (
        ("completion_rate", pure.completion_rate),
        ("handoff_rate", pure.handoff_rate),
        ("average_conversation_length", pure.average_turns),
    ):
        assert told[name] == (None if value is None else round(float(value), 4)), name
    assert told["average_attempts_per_node"] == {
        node: round(float(mean), 4) for node, mean in pure.attempts_per_node.items()
    }
    assert {row["node"]: row["count"] for row in told["most_retried_nodes"]} == pure.retries_by_node
    assert {row["node"]: row["count"] for row in told["most_common_handoff_points"]} == pure.handoffs_by_node
    assert {row["gate"]: row["count"] for row in told["gate_satisfaction"]} == pure.gates_satisfied


def all_conversations() -> list[Any]:
    return list(Relationship.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("rolled_up", [True, False])
def test_since_is_exact_to_the_moment(visits: Visits, auditor: Actor, clock: Clock, rolled_up: bool) -> None:
    visits.visit(MAIL)
    clock.advance(hours=1)
    moment = clock.now
    visits.visit({})
    clock.advance(days=1)
    visits.visit(MAIL)
    if rolled_up:
        caught_up(clock)
    assert started(auditor, "2025-11-27") == 3
    assert started(auditor, moment.isoformat()) == 2
    assert started(auditor, "2025-11-27T16:00:01+01:00") == 1
    assert started(auditor, "2025-11-29") == 0
    since = accepted(auditor.get(f"/metrics/flows/{SLUG}", since=moment.isoformat()))
    assert (since["closed"], since["most_retried_nodes"]) == (1, [{"node": "mail-1", "count": 1}])


def started(actor: Actor, since: str) -> int:
    return int(accepted(actor.get(f"/metrics/flows/{SLUG}", since=since))["started"])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"since": "yesterday"}, "since"),
        ({"since": "2025-13-01"}, "since"),
        ({"since": "0001-01-01T00:00:00+23:00"}, "since"),
        ({"format": "xml"}, "format"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(
    query: dict[str, str], field: str, visits: Visits, auditor: Actor
) -> None:
    problem = refused(auditor.get(f"/metrics/flows/{SLUG}", **query), 422, "invalid")
    assert problem["errors"][0]["field"] == field


def test_an_unknown_flow_is_not_found(auditor: Actor) -> None:
    refused(auditor.get("/metrics/flows/nowhere"), 404, "not_found")


def test_a_flow_as_csv(visits: Visits, auditor: Actor) -> None:
    visits.visit({}, MAIL)
    [row] = rows_of(auditor.get(f"/metrics/flows/{SLUG}", format="csv"))
    assert (row["flow"], row["started"], row["completion_rate"]) == (SLUG, "1", "1.0")
    assert (row["most_retried_nodes.1.node"], row["most_retried_nodes.1.count"]) == ("mail-1", "1")
    assert row["average_attempts_per_node.mail-1"] == "2.0"


def test_every_figure_of_a_conversation(visits: Visits, auditor: Actor) -> None:
    path = visits.visit({}, MAIL)
    figures = accepted(auditor.get(f"/metrics{path}"))
    nodes = figures.pop("attempts_by_node")
    assert nodes["mail-1"] == 2
    assert figures == {
        "relationship": path.rpartition("/")[2],
        "total_turns": 3,
        "nodes_executed": 2,
        "nodes_retried": 1,
        "average_attempts_per_node": 1.5,
        "gates_timeline": {"CONTACT": 3},
        "completion_rate": 1.0,
        "handoff_rate": 0.0,
        "deadlocks": 0,
    }


def test_a_handed_over_conversation_and_an_open_one(visits: Visits, auditor: Actor) -> None:
    handed = accepted(auditor.get(f"/metrics{visits.visit({}, {})}"))
    assert (handed["handoff_rate"], handed["completion_rate"]) == (1.0, None)
    plain = accepted(auditor.get(f"/metrics{visits.opened()}"))
    assert (plain["total_turns"], plain["handoff_rate"], plain["gates_timeline"]) == (0, None, {})


def test_a_conversation_as_csv(visits: Visits, auditor: Actor) -> None:
    [row] = rows_of(auditor.get(f"/metrics{visits.visit(MAIL)}", format="csv"))
    assert (row["total_turns"], row["gates_timeline.CONTACT"]) == ("2", "2")


def test_a_deadlock_counts_once(router: Actor, editor: Actor, opened: Opens, clock: Clock) -> None:
    document = contact_flow()
    document["nodes"][1]["retryPolicy"]["onExhaust"] = "SKIP"
    published(editor, document)
    Visits(router, opened).visit({}, {})
    assert accepted(router.get(f"/metrics/flows/{SLUG}"))["deadlocks"] == 1
