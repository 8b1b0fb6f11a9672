"""`evaluate_loops`: the report and the command."""

from __future__ import annotations

import io
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from guards.loops.evaluation import evaluate

SAME = [{"kind": "tool_call", "operation": "list"}, {"kind": "tool_result", "operation": "list", "text": "none"}]
OTHER = [{"kind": "tool_call", "operation": "get"}, {"kind": "tool_result", "operation": "get", "text": "done"}]
ROWS: list[dict[str, Any]] = [
    {"id": "a", "source": "s", "label": True, "onset": 2, "steps": SAME * 2},
    {"id": "b", "source": "s", "label": True, "steps": OTHER},
    {"id": "c", "source": "t", "label": False, "steps": SAME * 2},
    {"id": "d", "source": "t", "label": False, "onset": None, "steps": OTHER},
]


def test_the_report_counts_per_source_and_overall() -> None:
    ticks = count(step=1)
    report = evaluate(ROWS, lambda: next(ticks) / 1_000_000)
    assert report["overall"] == {
        "n": 4, "tp": 1, "fp": 1, "fn": 1, "tn": 1, "precision": 0.5, "recall": 0.5, "f1": 0.5, "fpr": 0.5,
    }  # fmt: skip
    assert report["sources"]["t"] == {
        "n": 2, "tp": 0, "fp": 1, "fn": 0, "tn": 1, "precision": 0.0, "recall": None, "f1": None, "fpr": 0.5,
    }  # fmt: skip
    assert report["lag"] == {"n": 1, "median": 1, "p10": 1, "p90": 1}
    assert report["us_per_step"] == pytest.approx(4 / 12, abs=0.05)
    assert report["traces"][0] == {"id": "a", "source": "s", "label": True, "detected": True, "index": 3}
    assert report["traces"][1]["index"] is None


def test_no_rows_give_an_empty_report() -> None:
    report = evaluate([], lambda: 0.0)
    assert (report["overall"]["n"], report["overall"]["f1"], report["us_per_step"]) == (0, None, None)


def test_the_command_prints_only_json_or_a_table(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)) + "\n\n", encoding="utf-8")
    as_json, as_table = io.StringIO(), io.StringIO()
    call_command("evaluate_loops", str(file), "--json", stdout=as_json)
    call_command("evaluate_loops", str(file), stdout=as_table)
    assert set(json.loads(as_json.getvalue())) == {"sources", "overall", "lag", "us_per_step", "traces"}
    assert "overall" in as_table.getvalue()
    assert "µs per step" in as_table.getvalue()


def test_a_byte_order_mark_is_no_bad_line(tmp_path: Path) -> None:
    file, told = tmp_path / "traces.jsonl", io.StringIO()
    file.write_text(json.dumps(ROWS[0]), encoding="utf-8-sig")
    call_command("evaluate_loops", str(file), "--json", stdout=told)
    assert json.loads(told.getvalue())["overall"]["n"] == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "line 1 is not an object"),
        (json.dumps({**ROWS[0], "steps": None}), "`steps` must be list"),
        (json.dumps({**ROWS[0], "label": "yes"}), "`label` must be bool"),
        (json.dumps({**ROWS[0], "steps": [1]}), "every step must be an object"),
        (json.dumps({**ROWS[0], "onset": "3"}), "`onset` must be"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(CommandError, match=complaint):
        call_command("evaluate_loops", str(file), stdout=io.StringIO())


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot read"):
        call_command("evaluate_loops", str(tmp_path / "none.jsonl"), stdout=io.StringIO())
