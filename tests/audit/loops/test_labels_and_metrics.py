"""Labels over the wire, and the metrics they move."""

import csv
import io
import json
import uuid

import pytest
from django.core.management import call_command
from django.utils import timezone

from audit.csv_report import csv_response
from audit.models import ImportedTrace, LabelFrame, LabelSample, LoopLabel
from audit.selectors.loop_cases import ImportedCases, LabelledCases
from audit.services import labels
from audit.services.labels import draw_samples
from conversations.models import Event
from tests.audit.loops.world import looping, quiet, steps
from tests.cast import Actor, Opens, accepted, refused

pytestmark = pytest.mark.django_db


def test_a_finding_is_labelled_and_the_metrics_count_it(router: Actor, operator: Actor, opened: Opens) -> None:
    true, finding = looping(router, opened)
    false, other = looping(router, opened)
    missed = quiet(router, opened, length=4)
    body = {"is_loop": True, "finding_id": finding, "note": "again and again"}
    label = accepted(operator.post(f"{true}/loop-labels", body), 201)
    assert (label["is_loop"], label["finding_id"], label["note"]) == (True, finding, "again and again")
    accepted(operator.post(f"{false}/loop-labels", {"is_loop": False, "finding_id": other}), 201)
    accepted(router.post(f"{missed}/loop-labels", {"is_loop": True}), 201)
    metrics = accepted(operator.get("/metrics/loops"))
    assert metrics["confusion"] == {"tp": 1, "fp": 1, "fn": 1, "tn": 0}
    assert (metrics["totalWorkflows"], metrics["loopsDetected"]) == (3, 2)
    assert (metrics["falsePositives"], metrics["falseNegatives"]) == (1, 1)
    assert metrics["averageWorkflowLength"] == pytest.approx(10 / 3, abs=1e-3)
    assert (metrics["successRate"], metrics["userSatisfactionScore"]) == (0.0, None)
    assert (metrics["precision"]["value"], metrics["precision"]["n"]) == (0.5, 2)
    assert metrics["recall"]["low"] < 0.5 < metrics["recall"]["high"]
    assert set(metrics["f1"]) == {"value", "low", "high", "n"}


def test_a_reviewers_latest_word_counts_and_the_first_is_kept(router: Actor, operator: Actor, opened: Opens) -> None:
    run, finding = looping(router, opened)
    for is_loop in (True, False):
        accepted(operator.post(f"{run}/loop-labels", {"is_loop": is_loop, "finding_id": finding}), 201)
    assert LoopLabel.objects.count() == 2
    assert [label.is_loop for label in LoopLabel.objects.filter(superseded_at=None)] == [False]
    assert accepted(operator.get("/metrics/loops"))["confusion"]["fp"] == 1


def test_a_label_is_no_event_of_the_conversation(router: Actor, operator: Actor, opened: Opens) -> None:
    run = quiet(router, opened)
    before = Event.objects.count()
    accepted(operator.post(f"{run}/loop-labels", {"is_loop": False}), 201)
    assert Event.objects.count() == before


def test_bad_labels_are_refused_and_change_nothing(
    router: Actor, operator: Actor, auditor: Actor, opened: Opens
) -> None:
    run, _ = looping(router, opened)
    _, foreign = looping(router, opened)
    refused(operator.post(f"{run}/loop-labels", {}), 422, "invalid")
    refused(operator.post(f"{run}/loop-labels", {"is_loop": "yes"}), 422, "invalid")
    refused(operator.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": "x"}), 422, "invalid")
    refused(operator.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": foreign}), 422, "invalid")
    refused(operator.post(f"/relationships/{uuid.uuid4()}/loop-labels", {"is_loop": True}), 404, "not_found")
    refused(auditor.post(f"{run}/loop-labels", {"is_loop": True}), 403, "forbidden")
    assert not LoopLabel.objects.exists()


@pytest.mark.parametrize(
    ("by", "keys"),
    [("rule", ["", "repeated_call"]), ("channel", ["rest"]), ("flow", [""]), ("policy_version", ["0"])],
)
def test_metrics_by_group(router: Actor, operator: Actor, opened: Opens, by: str, keys: list[str]) -> None:
    run, finding = looping(router, opened)
    quiet(router, opened)
    accepted(operator.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": finding}), 201)
    metrics = accepted(operator.get("/metrics/loops", by=by))
    assert [group["key"] for group in metrics["groups"]] == keys
    assert sum(group["totalWorkflows"] for group in metrics["groups"]) == 2
    assert sum(group["confusion"]["tp"] for group in metrics["groups"]) == 1


def test_since_leaves_out_what_is_older(router: Actor, operator: Actor, opened: Opens) -> None:
    looping(router, opened)
    assert accepted(operator.get("/metrics/loops", since="2999-01-01"))["totalWorkflows"] == 0
    assert accepted(operator.get("/metrics/loops", since="2000-01-01T00:00:00Z"))["totalWorkflows"] == 1
    refused(operator.get("/metrics/loops", since="yesterday"), 422, "invalid")
    refused(operator.get("/metrics/loops", by="moon"), 422, "invalid")


def test_no_spreadsheet_runs_what_somebody_named_a_channel(router: Actor, operator: Actor, opened: Opens) -> None:

    evil = csv_response([{"key": '=HYPERLINK("x")', "n": -1, "more": {"@sum": "+1"}}], name="x").content.decode()
    assert list(csv.reader(io.StringIO(evil)))[1] == ['\'=HYPERLINK("x")', "-1", "'+1"]
    answer = operator.get("/metrics/loops", by="rule", format="csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert rows[0]["key"] == "all"
    assert "precision.value" in rows[0]


def test_a_sample_stands_for_its_frame_and_frames_do_not_overlap(
    router: Actor, operator: Actor, opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(labels.SAMPLE, labels.QUIET, 2)
    run, finding = looping(router, opened)
    ended = [quiet(router, opened) for _ in range(6)]
    assert draw_samples(now=timezone.now()) == 3
    assert draw_samples(now=timezone.now()) == 0
    assert LabelFrame.objects.get(stratum="quiet").population == 6
    drawn = [f"/relationships/{key}" for key in LabelSample.objects.values_list("relationship_id", flat=True)]
    accepted(operator.post(f"{run}/loop-labels", {"is_loop": True, "finding_id": finding}), 201)
    for path in ended:
        if path in drawn:
            accepted(operator.post(f"{path}/loop-labels", {"is_loop": True}), 201)
    assert sorted(case.weight for case in LabelledCases().each()) == [1.0, 3.0, 3.0]
    assert accepted(operator.get("/metrics/loops"))["recall"]["value"] == pytest.approx(1 / 7, abs=1e-3)


def test_a_teams_own_traces_are_measured_on_day_one(tmp_path, router: Actor) -> None:  # type: ignore[no-untyped-def]
    call = {"actor": "a", "kind": "tool_call", "operation": "list", "parameters": {}}
    result = {"actor": "e", "kind": "tool_result", "operation": "list", "text": "same"}
    file = tmp_path / "ours.jsonl"
    rows = [
        {"id": "1", "source": "ours", "label": True, "onset": 0, "steps": [call, result] * 4},
        {"id": "2", "source": "ours", "label": False, "steps": [call, result]},
    ]
    file.write_text("\n".join(json.dumps(row) for row in rows))
    call_command("import_labelled", str(file))
    call_command("import_labelled", str(file))
    assert ImportedTrace.objects.count() == 2
    cases = list(ImportedCases().each())
    assert [case.kind for case in cases] == ["tp", "tn"]
    assert cases[0].lag is not None


def test_the_figures_of_a_conversation_without_a_flow(router: Actor, opened: Opens) -> None:
    run = opened(driver="workflow")
    steps(router, run, ["a", "b"])
    metrics = accepted(router.get(f"/metrics{run}"))
    assert (metrics["total_turns"], metrics["completion_rate"], metrics["deadlocks"]) == (2, None, 0)
    assert router.get(f"/metrics{run}", format="csv").headers["Content-Type"].startswith("text/csv")
