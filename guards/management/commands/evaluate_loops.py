"""Measure the loop detector on labelled traces."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from guards.loops.evaluation import evaluate

_COLUMNS = ("n", "tp", "fp", "fn", "tn", "precision", "recall", "f1", "fpr")
_NEEDED = {"id": str, "source": str, "label": bool, "steps": list}


class Command(BaseCommand):
    """`evaluate_loops FILE.jsonl [--json]`."""

    help = "Precision, recall, F1, false-positive rate, detection lag and cost over a JSONL file of labelled traces."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and the form of the answer."""
        parser.add_argument("file", type=Path, metavar="FILE.jsonl")
        parser.add_argument("--json", action="store_true", help="print only the report, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        report = evaluate(labelled_rows(options["file"]), time.process_time)
        if options["json"]:
            self.stdout.write(json.dumps(report))
            return
        self.stdout.write(f"{'source':20}" + "".join(f"{name:>10}" for name in _COLUMNS))
        for name, figures in {**report["sources"], "overall": report["overall"]}.items():
            self.stdout.write(f"{name[:20]:20}" + "".join(f"{_shown(figures[key]):>10}" for key in _COLUMNS))
        lag = report["lag"]
        self.stdout.write(f"lag in steps: median {lag['median']}, p10 {lag['p10']}, p90 {lag['p90']} (n={lag['n']})")
        self.stdout.write(f"cost: {report['us_per_step']} µs per step")


def labelled_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of labelled traces; a bad line is named."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _row(line, number)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read {path}: {error}") from error


def _row(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"line {number} is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise CommandError(f"line {number} is not an object")
    for name, kind in _NEEDED.items():
        if not isinstance(row.get(name), kind):
            raise CommandError(f"line {number}: `{name}` must be {kind.__name__}")
    if not all(isinstance(step, dict) for step in row["steps"]):
        raise CommandError(f"line {number}: every step must be an object")
    if not isinstance(row.get("onset"), int | None):
        raise CommandError(f"line {number}: `onset` must be a whole number or null")
    return row


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
