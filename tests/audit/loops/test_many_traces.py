"""However many cases there are, the database groups them for a page, and a file of them goes out in pieces."""

import csv
import io
import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test.utils import CaptureQueriesContext

from audit import csv_report
from audit.metrics.cases import grouped, week_of
from audit.metrics.lag import detection_lag
from audit.metrics.rates import accuracy
from audit.models import ImportedTrace
from audit.selectors.loop_cases import ImportedCases
from tests.console.conftest import sign_in

pytestmark = pytest.mark.django_db
PAGE = "/admin/console/accuracy"
FEW = 60


@pytest.fixture
def traces() -> None:
    draw = random.Random(5)
    for number in range(FEW):
        alarm = draw.choice([None, 3, 5, 8])
        ImportedTrace.objects.create(
            source=draw.choice(["ours", "=theirs"]),
            trace=f"{number:03d}",
            is_loop=draw.random() < 0.5,
            onset=draw.choice([None, 0, 2]),
            alarm=alarm,
            length=9,
            peak=draw.choice(["0.55", "0.75", "0.95"]),
            # surest, but not sure enough: no alarm, and a rule all the same
            rule=draw.choice(["repeated_call", "cycle"]),
            policy_version=draw.choice(["1", "2"]),
            imported_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=draw.randrange(60)),
        )


@pytest.mark.usefixtures("traces")
@pytest.mark.parametrize("by", ["rule", "channel", "flow", "policy_version", "peak"])
def test_traces_taken_together_give_the_figures_of_each_alone(by: str) -> None:
    source = ImportedCases()
    together, alone = (
        {key: accuracy(cases) for key, cases in grouped(cases, lambda case: str(getattr(case, by))).items()}
        for cases in (source.alike(by), list(source.each()))
    )
    assert together == alone


@pytest.mark.usefixtures("traces")
def test_weeks_and_lags_of_traces_together_are_those_of_each() -> None:
    source = ImportedCases()
    weeks = [
        {week: accuracy(cases) for week, cases in grouped(cases, week_of).items()}
        for cases in (source.alike("week"), list(source.each()))
    ]
    assert weeks[0] == weeks[1]
    assert detection_lag(source.alike("lag")) == detection_lag(source.each())


@pytest.mark.usefixtures("traces")
def test_the_page_of_imported_traces_reads_none_of_them_one_by_one() -> None:
    with CaptureQueriesContext(connection) as asked:
        sign_in("rita", "viewer").get(PAGE, {"data": "imported", "by": "channel"})
    of_traces = [query["sql"] for query in asked if "audit_importedtrace" in query["sql"]]
    assert of_traces
    assert all("GROUP BY" in sql for sql in of_traces)


@pytest.mark.usefixtures("traces")
def test_another_threshold_names_the_traces_it_would_change() -> None:
    gained, lost = ImportedCases().changed_by(0.75)
    changed = [case for case in ImportedCases().each() if case.detected != (case.peak >= 0.75)]
    assert gained == [case for case in changed if not case.detected]
    assert lost == [case for case in changed if case.detected]
    assert gained
    assert lost


@pytest.mark.usefixtures("traces")
def test_every_case_goes_out_in_pieces_and_none_is_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_report, "AT_ONCE", 25)
    answer = sign_in("rita", "viewer").get(
        PAGE, {"data": "imported", "table": "cases", "format": "csv", "threshold": "0.75"}
    )
    assert isinstance(answer, StreamingHttpResponse)
    pieces = list(answer.streaming_content)
    assert len(pieces) == 3
    rows = list(csv.DictReader(io.StringIO(b"".join(pieces).decode(), newline="")))
    assert [row["case"].lstrip("'") for row in rows] == [case.key for case in ImportedCases().each()]
    assert {row["channel"] for row in rows} == {"ours", "'=theirs"}
    assert {row["alarm_at_0.75"] for row in rows} == {"True", "False"}


def test_without_a_case_the_file_is_empty_and_not_an_error() -> None:
    answer = sign_in("rita", "viewer").get(PAGE, {"table": "cases", "format": "csv"})
    assert isinstance(answer, StreamingHttpResponse)
    assert b"".join(answer.streaming_content).strip() == b""
