"""The accuracy dashboard and the labelling queue open for whoever may read, empty or not."""

import csv
import io

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from audit.models import LabelSample, LoopLabel
from audit.services.imports import import_traces
from conversations.access import ConsoleRole
from tests.audit.loops.world import looping, quiet
from tests.cast import Actor, Opens, accepted
from tests.console.conftest import sign_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("screen", ["accuracy", "labelling"])
def test_a_loop_screen_opens_before_there_is_anything_to_show(screen: str) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("reader", password="long enough 1"))
    answer = client.get(f"/admin/console/{screen}")
    assert answer.status_code == 200, answer.status_code
    assert b"Lastword" in answer.content


def reviewer(name: str = "rita") -> Client:
    return sign_in(name, ConsoleRole.OPERATOR)


def test_the_dashboard_shows_what_the_labels_say(router: Actor, operator: Actor, opened: Opens) -> None:
    true, found = looping(router, opened)
    false, other = looping(router, opened)
    accepted(operator.post(f"{true}/loop-labels", {"is_loop": True, "finding_id": found}), 201)
    accepted(operator.post(f"{false}/loop-labels", {"is_loop": False, "finding_id": other}), 201)
    accepted(router.post(f"{quiet(router, opened)}/loop-labels", {"is_loop": True}), 201)
    page = reviewer().get("/admin/console/accuracy?period=all").content.decode()
    for cell, count in {"tp": 1, "fp": 1, "fn": 1, "tn": 0}.items():
        assert f'data-cell="{cell}">{count} ' in page
    assert page.count("0.50") >= 2
    assert "the same call again" in page
    assert "no alarm" in page


@pytest.mark.parametrize("by", ["rule", "channel", "flow", "policy_version", "nonsense"])
def test_every_grouping_opens_and_says_what_it_groups_by(by: str, router: Actor, opened: Opens) -> None:
    run, found = looping(router, opened)
    accepted(router.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": found}), 201)
    page = reviewer().get("/admin/console/accuracy", {"by": by}).content.decode()
    words = {"policy_version": "policy version", "nonsense": "rule"}.get(by, by)
    assert f"<h2>By {words}</h2>" in page


def test_the_threshold_to_try_is_a_number_in_every_language() -> None:
    """A decimal comma empties a number field, and the next press of the button would forget the threshold."""
    client = reviewer()
    client.cookies["django_language"] = "nl"
    assert 'step="0.01" value="0.95"' in client.get("/admin/console/accuracy?threshold=0.95").content.decode()


def test_imported_traces_are_grouped_by_their_source_not_by_a_channel() -> None:
    step = {"actor": "agent", "kind": "tool_call", "operation": "list"}
    row = {"id": "one", "source": "our-agents", "label": True, "steps": [step, step]}
    assert import_traces([row], now=timezone.now()) == 1
    page = reviewer().get("/admin/console/accuracy?data=imported&by=channel").content.decode()
    assert "<h2>By source</h2>" in page
    assert "our-agents" in page


def test_another_threshold_links_to_the_cases_it_would_change(router: Actor, opened: Opens) -> None:
    run, found = looping(router, opened)
    accepted(router.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": found}), 201)
    key = run.rpartition("/")[2]
    rita = reviewer()
    assert "data-replay" not in rita.get("/admin/console/accuracy").content.decode()
    page = rita.get("/admin/console/accuracy?threshold=1").content.decode()
    replay = page.partition("data-replay")[2].partition("</section>")[0]
    assert f'href="/admin/console/conversations/{key}"' in replay
    assert "a loop would be missed" in replay


@pytest.mark.parametrize(
    ("table", "column"),
    [("groups", "rule"), ("weeks", "week"), ("agreement", "kappa"), ("cases", "peak_confidence"), ("", "rule")],
)
def test_every_table_is_there_as_csv(table: str, column: str, router: Actor, operator: Actor, opened: Opens) -> None:
    run, found = looping(router, opened)
    for somebody in (router, operator):
        accepted(somebody.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": found}), 201)
    answer = reviewer().get("/admin/console/accuracy", {"format": "csv", "table": table})
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert rows
    assert column in rows[0]


def test_the_queue_takes_true_false_and_skip_and_goes_on_by_itself(router: Actor, opened: Opens) -> None:
    for _ in range(3):
        looping(router, opened)
    rita = reviewer()
    for answer, labelled in (("loop", 1), ("no_loop", 2), ("skip", 2)):
        shown = rita.get("/admin/console/labelling").context
        told = {"sample": shown["sample"].pk, "relationship": shown["relationship"].pk, "finding": shown["finding"].pk}
        assert rita.post("/admin/console/labelling", {**told, "answer": answer}).status_code == 302
        assert LoopLabel.objects.count() == labelled
    assert rita.get("/admin/console/labelling").context["sample"] is None
    assert reviewer("tom").get("/admin/console/labelling").context["sample"] is not None


def test_an_auditor_leafs_through_the_queue_and_changes_nothing(router: Actor, opened: Opens) -> None:
    drawn = {looping(router, opened)[0].rpartition("/")[2] for _ in range(2)}
    auditor = sign_in("audrey", ConsoleRole.AUDITOR)
    assert "Operators judge it here" not in auditor.get("/admin/console/labelling").content.decode(), "none drawn yet"
    assert not LabelSample.objects.exists(), "looking draws nothing"
    reviewer().get("/admin/console/labelling")

    shown = set()
    for number in (1, 2):
        answer = auditor.get("/admin/console/labelling", {"page": number})
        page = answer.content.decode()
        shown.add(str(answer.context["relationship"].pk))
        assert "Operators judge it here; you read along." in page
        assert f"Page {number} of 2" in page
        assert 'name="answer"' not in page
    assert shown == drawn
    told = {"relationship": shown.pop(), "answer": "loop"}
    assert auditor.post("/admin/console/labelling", told).status_code == 403


@pytest.mark.parametrize("role", [ConsoleRole.VIEWER, ConsoleRole.EDITOR])
def test_who_may_not_read_the_queue_is_not_led_to_it(role: ConsoleRole, db: None) -> None:
    link = 'href="/admin/console/labelling"'
    assert link not in sign_in("somebody", role).get("/admin/console/").content.decode()
    assert link in reviewer().get("/admin/console/").content.decode()


def test_the_dashboard_asks_as_many_questions_of_many_labels_as_of_few(
    router: Actor, opened: Opens, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rita = reviewer()
    for is_loop in (True, False):
        run, found = looping(router, opened)
        accepted(router.post(f"{run}/loop-labels", {"is_loop": is_loop, "finding_id": found}), 201)
    with CaptureQueriesContext(connection) as few:
        rita.get("/admin/console/accuracy?period=all")
    asked = len(few)
    for _ in range(6):
        run, found = looping(router, opened)
        accepted(router.post(f"{run}/loop-labels", {"is_loop": False, "finding_id": found}), 201)
    with django_assert_max_num_queries(asked):
        rita.get("/admin/console/accuracy?period=all")
