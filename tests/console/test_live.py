"""The board."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from audit.models import LoopLabel
from conversations.models import Relationship
from tests.cast import Actor, accepted
from tests.console.conftest import Talks, events_of

LIVE = "/admin/console/live"


def shown(browser: Client, **query: str) -> list[str]:
    """The other side's names on the board, in its order."""
    rows = browser.get(LIVE, query).context["rows"]
    return [row["parties"]["responder"] for row in rows]


@pytest.fixture
def many(router: Actor) -> None:
    for number in range(60):
        terms = {"initiator": "bank", "responder": f"customer-{number:02d}", "timebox_hours": number + 2}
        accepted(router.post("/relationships", terms), 201)


def test_a_board_asks_as_often_for_sixty_as_for_one(
    viewer: Client, talk: Talks, router: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    talk("hello")
    with django_assert_max_num_queries(14) as one:
        viewer.get(LIVE)
    asked = len(one)  # read now: the next request empties the log it counts in
    for number in range(60):
        terms = {"initiator": "bank", "responder": f"customer-{number:02d}"}
        accepted(router.post("/relationships", terms), 201)
    with django_assert_max_num_queries(asked):
        viewer.get(LIVE)


def test_pages_of_fifty_soonest_to_expire_first(viewer: Client, many: None) -> None:
    first, second = shown(viewer), shown(viewer, page="2")
    assert first + second == [f"customer-{number:02d}" for number in range(60)]
    assert len(first) == 50


def test_a_conversation_that_loops_comes_first_however_far_its_end(viewer: Client, many: None, router: Actor) -> None:
    terms = {"initiator": "planner", "responder": "loopy", "driver": "workflow", "timebox_hours": 90}
    run = accepted(router.post("/relationships", terms), 201)["id"]
    assert "loopy" not in shown(viewer)
    for number in range(2):
        accepted(router.post(f"/relationships/{run}/steps", {"step_id": str(number), "operation": "list"}))
    assert shown(viewer)[:2] == ["loopy", "customer-00"]
    assert shown(viewer, sort="expiry")[0] == "customer-00"


def test_search_and_filters_are_the_address(viewer: Client, talk: Talks, many: None, router: Actor) -> None:
    handed = talk("hello")
    accepted(router.post(f"/relationships/{handed.pk}/handoff", {"reason": "please"}), 201)
    assert shown(viewer, q="customer-4") == [f"customer-4{number}" for number in range(10)]
    assert shown(viewer, owner="queue") == ["customer"]
    assert shown(viewer, driver="flow") == []
    assert len(shown(viewer, driver="nonsense")) == 50
    assert shown(viewer, sort="newest")[0] == "customer-59" or shown(viewer, sort="newest")[0] == "customer"


def test_at_risk_is_one_step_from_the_depth_or_under_an_hour(viewer: Client, talk: Talks, many: None) -> None:
    talk("a", "b", max_depth=3)
    assert shown(viewer, risk="at_risk") == ["customer"]


def test_chosen_conversations_are_closed_and_a_refusal_keeps_none_of_the_others(anna: Client, talk: Talks) -> None:
    first, second = talk("a"), talk("b")
    told = {"chosen": [str(first.pk), "nonsense", str(second.pk)], "closure_type": "incomplete", "summary": "tidy"}
    page = anna.post(reverse("console:live_close"), told, follow=True)
    assert "2 conversations closed" in page.content.decode()
    closed = Relationship.objects.filter(closure_type="incomplete")
    assert set(closed) == {first, second}
    assert all(row.closure_event["operator_summary"] == "tidy" for row in closed)
    assert events_of(first)[-1] == "conversation_closure"


def test_chosen_conversations_are_labelled_and_an_unknown_one_is_nobody(anna: Client, talk: Talks) -> None:
    first, second = talk("a"), talk("b")
    told = {"chosen": [str(first.pk), "nonsense", str(second.pk)], "answer": "loop", "note": "both"}
    page = anna.post(reverse("console:live_label"), told, follow=True)
    assert "2 conversations labelled" in page.content.decode()
    labels = LoopLabel.objects.values_list("relationship", "is_loop", "reviewer", "note")
    assert set(labels) == {(row.pk, True, "anna", "both") for row in (first, second)}


def test_nothing_is_labelled_without_an_answer(anna: Client, talk: Talks) -> None:
    relationship = talk("a")
    page = anna.post(reverse("console:live_label"), {"chosen": [str(relationship.pk)]}, follow=True)
    assert "Say whether they are loops" in page.content.decode()
    assert not LoopLabel.objects.exists()


def test_nothing_is_closed_without_a_way_to_end(anna: Client, talk: Talks) -> None:
    relationship = talk("a")
    anna.post(reverse("console:live_close"), {"chosen": [str(relationship.pk)], "closure_type": "whatever"})
    relationship.refresh_from_db()
    assert relationship.closed_at is None


def test_the_channels_are_read_from_the_active_conversations_alone(viewer: Client, talk: Talks) -> None:
    talk("hello")
    with CaptureQueriesContext(connection) as asked:
        assert viewer.get(LIVE).context["channels"] == ["rest"]
    [sql] = [query["sql"] for query in asked if query["sql"].startswith('SELECT "fir_a_relationships"."channel"')]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            plan = cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
        assert all("fir_a_due" in step[3] for step in plan), plan
    else:
        assert 'ORDER BY "fir_a_relationships"."expires_at"' in sql
