"""The metrics screens: every tab, the period before, the conversations behind, CSV, and bad addresses."""

import csv
import io
import json
import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client

from audit.csv_report import csv_response
from audit.views.metrics import TABS
from conversations.access import ConsoleRole
from tests.audit.rollups.world import FLOW, World, caught_up, published_flow
from tests.cast import Actor, Clock, Opens, accepted
from tests.console.conftest import sign_in

pytestmark = pytest.mark.django_db
PAGE, BEHIND = "/admin/console/metrics", "/admin/console/metrics/conversations"


@pytest.fixture
def vera() -> Client:
    return sign_in("vera", ConsoleRole.VIEWER)


@pytest.fixture
def busy(router: Actor, operator: Actor, opened: Opens, clock: Clock) -> World:
    published_flow()
    world = World(3, router=router, operator=operator, opened=opened, clock=clock)
    world.happen(120)
    caught_up(clock)
    return world


def page(person: Client, **query: Any) -> str:
    answer = person.get(PAGE, query)
    assert answer.status_code == 200, answer.content[:300]
    return answer.content.decode()


def rows_of(answer: HttpResponse) -> list[dict[str, str]]:
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def drills(text: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'href="(/admin/console/metrics/conversations[^"]*)"', text)]


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_says_what_is_missing_before_anything_happened(tab: str, vera: Client, clock: Clock) -> None:
    text = page(vera, tab=tab)
    assert 'aria-current="page"' in text
    assert "Nothing of this happened in these days" in text


def test_every_chart_has_its_table_and_its_csv_and_every_bar_its_conversations(vera: Client, busy: World) -> None:
    """All tabs in one test: the world behind them takes longer to make than to look at."""
    for tab in TABS:
        text = page(vera, tab=tab, flow=FLOW) if tab == "flows" else page(vera, tab=tab)
        charts_have_their_csv(vera, text)
        bars_lead_to_conversations(vera, text)


def charts_have_their_csv(vera: Client, text: str) -> None:
    charts = [json.loads(unescape(data)) for data in re.findall(r'data-value="([^"]*)"', text)]
    csvs = [unescape(link) for link in re.findall(r'href="(\?[^"]*format=csv[^"]*)"', text)]
    assert len(charts) == len(csvs) == text.count('class="lw-table lw-figures"') > 0
    for chart, link in zip(charts, csvs, strict=True):
        rows = rows_of(vera.get(PAGE + link))
        assert [row["label"] for row in rows] == chart["labels"]
        assert len(chart["datasets"]) == 2


def bars_lead_to_conversations(vera: Client, text: str) -> None:
    links = drills(text)
    assert links
    for link in links:
        answer = vera.get(link)
        assert answer.status_code == 200
        asked = dict(parse_qsl(urlsplit(link).query))
        assert answer.content.decode().count("/admin/console/conversations/") > 0, asked


def test_a_figure_and_the_list_behind_it_agree(vera: Client, busy: World) -> None:
    for row in rows_of(vera.get(PAGE, {"format": "csv", "table": "closures"})):
        if row["count"] != "0":
            query = {"measure": "closed", "subject": row["key"], **dates(vera)}
            listed = vera.get(BEHIND, query).content.decode()
            assert listed.count("<tr>") - 1 == int(row["count"])


def dates(person: Client) -> dict[str, str]:
    found = dict(re.findall(r'type="date" name="(from|to)" value="([^"]*)"', page(person)))
    return {name: str(value) for name, value in found.items()}


def test_the_period_before_is_as_long_and_lies_right_before(
    vera: Client, router: Actor, opened: Opens, clock: Clock
) -> None:
    opened()
    clock.advance(days=3)
    opened()
    opened()
    today = clock.now.date().isoformat()
    [one] = rows_of(vera.get(PAGE, {"from": today, "to": today, "format": "csv", "table": "depth"}))
    assert (one["count"], one["count_before"]) == ("2", "0")
    rows = rows_of(vera.get(PAGE, {"from": "2025-11-28", "to": today, "format": "csv", "table": "activity"}))
    assert [row["started"] for row in rows] == ["0", "0", "2"]
    assert [row["started_before"] for row in rows] == ["0", "0", "1"]


def test_days_are_drawn_as_they_went_and_read_from_the_newest(vera: Client, opened: Opens, clock: Clock) -> None:
    opened()
    clock.advance(days=2)
    opened()
    since = (clock.now - timedelta(days=2)).date().isoformat()
    text = page(vera, **{"from": since, "to": clock.now.date().isoformat()})
    day_by_day = text[text.index('id="activity"') :].partition("</section>")[0]
    drawn = json.loads(unescape(re.findall(r'data-value="([^"]*)"', day_by_day)[0]))["labels"]
    listed = re.findall(r'<tr><th scope="row">.*?<bdi>(.*?)</bdi>', day_by_day)
    assert len(drawn) == 3
    assert listed == drawn[::-1]


def test_filters_narrow_every_figure(vera: Client, busy: World) -> None:
    whole = rows_of(vera.get(PAGE, {"format": "csv", "table": "depth"}))
    some = rows_of(vera.get(PAGE, {"format": "csv", "table": "depth", "driver": "flow"}))
    assert 0 < sum(int(row["count"]) for row in some) < sum(int(row["count"]) for row in whole)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"from": "2025-11-20", "to": "2025-11-01"}, "The first day comes after the last."),
        ({"from": "1999-01-01", "to": "2025-11-01"}, "At most 731 days at once."),
        ({"from": "0001-01-01", "to": "0001-01-02"}, "There are no figures for such dates."),
        ({"to": "9999-12-31"}, "There are no figures for such dates."),
        ({"from": "yesterday"}, "A date is written like"),
        ({"from": "2025-02-31"}, "A date is written like"),
        ({"channel": "telex"}, "Nothing is known of the channel telex."),
        ({"colour": "red"}, "There is no filter called colour."),
        ({"tab": "weather"}, "There is no such page of metrics."),
        ({"format": "xml"}, "There is no such table."),
        ({"format": "csv", "table": "secrets"}, "There is no such table."),
    ],
)
def test_an_address_that_makes_no_sense_is_answered_in_words(
    query: dict[str, str], words: str, vera: Client, clock: Clock
) -> None:
    answer = vera.get(PAGE, query)
    assert answer.status_code == 400
    assert words in unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"measure": "nonsense"}, 400),
        ({}, 400),
        ({"measure": "closed", "from": "2025-11-20", "to": "2025-11-01"}, 400),
        ({"measure": "closed", "subject": "a\x00b"}, 200),
        ({"measure": "depth", "subject": "<script>"}, 200),
        ({"measure": "closed", "page": "-1"}, 200),
        ({"measure": "closed", "page": "99999999999"}, 200),
    ],
)
def test_a_list_of_conversations_is_as_careful(query: dict[str, str], status: int, vera: Client, clock: Clock) -> None:
    answer = vera.get(BEHIND, query)
    assert answer.status_code == status
    assert "<script>" not in answer.content.decode().replace("<script src", "").replace('<script type="module"', "")


def test_long_ranges_are_told_in_weeks_and_months(vera: Client, opened: Opens, clock: Clock) -> None:
    opened()
    weeks = rows_of(vera.get(PAGE, {"from": "2025-08-01", "to": "2025-11-27", "format": "csv", "table": "activity"}))
    assert (len(weeks), weeks[0]["label"], weeks[-1]["started"]) == (18, "1 Aug – 3 Aug", "1")
    months = rows_of(vera.get(PAGE, {"from": "2024-01-01", "to": "2025-11-27", "format": "csv", "table": "activity"}))
    assert (len(months), months[-1]["label"], months[-1]["started"]) == (23, "1 Nov – 27 Nov", "1")


def test_who_may_not_read_the_console_may_not_read_its_figures(clock: Clock) -> None:
    nobody = sign_in("noone")
    assert [nobody.get(address).status_code for address in (PAGE, BEHIND)] == [403, 403]
    assert "/admin/login/" in Client().get(PAGE)["Location"]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_cell_of_a_csv_is_a_formula(cell: str) -> None:
    answer = csv_response([{"name": cell, cell: "x", "list": [cell], "in": {"side": cell}, "number": -1}], name="x")
    [header, row] = csv.reader(io.StringIO(answer.content.decode(), newline=""))
    assert [each for each in (*header, *row) if each.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))] == ["-1"]


def test_a_node_called_like_a_formula_is_only_a_name(
    vera: Client, router: Actor, editor: Actor, opened: Opens, clock: Clock
) -> None:
    from tests.flows.api.support import contact_flow, published

    document = contact_flow()
    document["nodes"][1]["id"] = "=HYPERLINK(1)"
    published(editor, document, slug="formula")
    path = opened(driver="flow", flow="formula")
    accepted(router.post(f"{path}/turns", {"message_id": "1"}))
    caught_up(clock)
    query = {"tab": "flows", "flow": "formula", "format": "csv", "table": "nodes"}
    names = [row["key"] for row in rows_of(vera.get(PAGE, query))]
    assert "'=HYPERLINK(1)" in names
    assert "=HYPERLINK(1)" not in names
