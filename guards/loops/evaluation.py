"""How good the detector is on labelled traces: rows in, report out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from guards.loops.config import DEFAULT_CONFIG
from guards.loops.detector import LoopDetector
from guards.loops.steps import step_from_dict

Clock = Callable[[], float]


@dataclass(slots=True)
class Confusion:
    """Detected against labelled."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def count(self, label: bool, detected: bool) -> None:
        """Add one trace."""
        name = {(True, True): "tp", (False, True): "fp", (True, False): "fn", (False, False): "tn"}[label, detected]
        setattr(self, name, getattr(self, name) + 1)

    def as_dict(self) -> dict[str, Any]:
        """Counts and rates; a rate without a denominator is null."""
        tp, fp, fn, tn = self.tp, self.fp, self.fn, self.tn
        return {
            "n": tp + fp + fn + tn, "tp": tp, "fp": fp, "fn": fn, "tn": tn,
            "precision": _rate(tp, tp + fp),
            "recall": _rate(tp, tp + fn),
            "f1": _rate(2 * tp, 2 * tp + fp + fn) if tp + fn else None,
            "fpr": _rate(fp, fp + tn),
        }  # fmt: skip


def first_alarm(
    steps: Iterable[Mapping[str, Any]], threshold: float = DEFAULT_CONFIG.loop_detection_threshold
) -> int | None:
    """The step at which the detector, reading only forwards, first reports a loop."""
    detector = LoopDetector()
    for index, raw in enumerate(steps):
        if any(found.confidence >= threshold for found in detector.observe(step_from_dict(raw))):
            return index
    return None


def evaluate(
    rows: Iterable[Mapping[str, Any]], clock: Clock, threshold: float = DEFAULT_CONFIG.loop_detection_threshold
) -> dict[str, Any]:
    """The report of `evaluate_loops --json` over rows {id, source, label, onset?, steps}."""
    sources: dict[str, Confusion] = defaultdict(Confusion)
    overall = Confusion()
    lags: list[int] = []
    traces = []
    seconds = 0.0
    read = 0
    for row in rows:
        began = clock()
        index = first_alarm(row["steps"], threshold)
        seconds += clock() - began
        read += len(row["steps"]) if index is None else index + 1
        label, detected = bool(row["label"]), index is not None
        sources[row["source"]].count(label, detected)
        overall.count(label, detected)
        if label and index is not None and row.get("onset") is not None:
            lags.append(index - row["onset"])
        traces.append({"id": row["id"], "source": row["source"], "label": label, "detected": detected, "index": index})
    return {
        "sources": {name: sources[name].as_dict() for name in sorted(sources)},
        "overall": overall.as_dict(),
        "lag": _lag(sorted(lags)),
        "us_per_step": round(1e6 * seconds / read, 1) if read else None,
        "traces": traces,
    }


def _lag(lags: Sequence[int]) -> dict[str, Any]:
    if not lags:
        return {"n": 0, "median": None, "p10": None, "p90": None}
    last = len(lags) - 1
    return {
        "n": len(lags),
        "median": median(lags),
        "p10": lags[math.floor(0.1 * last)],
        "p90": lags[math.ceil(0.9 * last)],
    }


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
