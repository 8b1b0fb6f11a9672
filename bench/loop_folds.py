"""How well the loop detector would do on traces nobody has looked at: thresholds chosen anew inside every fold.

python bench/loop_folds.py [FILE.jsonl; default ../shared/loopbench/dev.jsonl] [--repeats 20]

Rules raise alarms independently of each other, so each is run once per setting of its own numbers and the search
combines the answers. It starts from a random setting, never from the shipped one, which would win every tie.
"""

import argparse
import json
import random
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.loops import PEOPLE_ONLY, THRESHOLD, default_folder
from guards.loops.detector import LoopDetector
from guards.loops.evaluation import Confusion
from guards.loops.findings import Rule
from guards.loops.steps import step_from_dict
from guards.loops.thresholds import DEFAULT, Thresholds

FOLDS = 5
MOST_FALSE = {"agents": 0.04, "people": 0.004}  # below the limits, so that a fold's luck does not decide
NUMBERS: dict[Rule, dict[str, tuple[float, ...]]] = {
    Rule.REPEATED_CALL: {"equal_calls": (2, 3, 4, 5), "code_likeness": (0.7, 0.8, 0.85, 0.9, 0.95, 1.0)},
    Rule.REPEATED_ERROR: {"equal_errors": (2, 3, 4, 5), "error_likeness": (0.5, 0.6, 0.7, 0.75, 0.8, 0.9)},
    Rule.REWORDED_CALL: {
        "reworded_calls": (2, 3, 4),
        "reworded_likeness": (0.3, 0.35, 0.38, 0.4, 0.42, 0.45, 0.5, 0.6),
        "reworded_words": (2, 4, 6, 8),
        "same_news_likeness": (0.1, 0.15, 0.2, 0.25, 0.3, 0.4),
    },
    Rule.REPEATED_MESSAGE: {
        "messages": (2.4, 2.6, 2.8, 2.9, 3, 3.1, 3.2, 3.3, 3.5, 4),
        "message_likeness": (0.15, 0.18, 0.2, 0.22, 0.25, 0.28, 0.3, 0.35),
        "template_likeness": (0.5, 0.6, 0.7, 0.8),
        "message_words": (8, 12, 16, 20, 24, 30),
        "message_least_words": (2, 4, 6),
        "echo_likeness": (0.7, 0.8, 0.9),
    },
}
STRICT_WHEN_LOW = ("template_likeness",)  # all others accuse more the lower they are


class Bench:
    """Which traces each rule accuses under which numbers, worked out when first asked."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.rows = rows
        self.traces = [[step_from_dict(raw) for raw in row["steps"]] for row in rows]
        self._known: dict[tuple[Rule, Thresholds], frozenset[int]] = {}
        self._loosest: dict[Rule, frozenset[int]] = {}

    def accused(self, numbers: Thresholds) -> frozenset[int]:
        """The traces in which any rule raises an alarm."""
        return frozenset().union(*(self._by(rule, numbers) for rule in Rule))

    def _by(self, rule: Rule, numbers: Thresholds) -> frozenset[int]:
        own = with_numbers(DEFAULT, {name: getattr(numbers, name) for name in NUMBERS.get(rule, {})})
        if (rule, own) not in self._known:
            found = (at for at in self._suspects(rule) if _alarms(self.traces[at], rule, own))
            self._known[rule, own] = frozenset(found)
        return self._known[rule, own]

    def _suspects(self, rule: Rule) -> frozenset[int]:
        """Whom the rule accuses at its most suspicious: nobody else need be asked again."""
        if rule not in self._loosest:
            grid = NUMBERS.get(rule, {})
            loose = {name: (max if name in STRICT_WHEN_LOW else min)(values) for name, values in grid.items()}
            numbers = with_numbers(DEFAULT, loose)
            self._loosest[rule] = frozenset(at for at, trace in enumerate(self.traces) if _alarms(trace, rule, numbers))
        return self._loosest[rule]

    def score(self, numbers: Thresholds, part: Iterable[int]) -> tuple[Confusion, Confusion]:
        """Agents and people, over some of the traces."""
        agents, people = Confusion(), Confusion()
        accused = self.accused(numbers)
        for at in part:
            row = self.rows[at]
            (people if row["source"] in PEOPLE_ONLY else agents).count(row["label"], at in accused)
        return agents, people

    def choose(self, part: Sequence[int], dice: random.Random) -> Thresholds:
        """The best numbers on these traces, one at a time until nothing improves."""
        grid = {name: values for own in NUMBERS.values() for name, values in own.items()}
        best = with_numbers(DEFAULT, {name: dice.choice(values) for name, values in grid.items()})
        reached = -1.0
        while (now := _worth(*self.score(best, part))) > reached:
            reached = now
            for name in dice.sample(sorted(grid), len(grid)):
                options = [with_numbers(best, {name: value}) for value in grid[name]]
                worths = [_worth(*self.score(option, part)) for option in options]
                top = [option for option, worth in zip(options, worths, strict=True) if worth == max(worths)]
                best = top[len(top) // 2]  # the middle of the plateau, not its edge
        return best


def with_numbers(numbers: Thresholds, changed: dict[str, Any]) -> Thresholds:
    """Some of the numbers replaced, by name."""
    return replace(numbers, **changed)


def main() -> None:
    """Print the held-out figures, the numbers chosen, and what each number does on its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=default_folder() / "dev.jsonl")
    parser.add_argument("--repeats", type=int, default=20)
    wanted = parser.parse_args()
    rows = [json.loads(line) for line in wanted.file.read_text(encoding="utf-8").splitlines() if line]
    bench = Bench(rows)
    everything = range(len(rows))
    print(f"shipped numbers, all traces:      {_figures(*bench.score(DEFAULT, everything))}")
    _print_resampled(bench)
    _print_curves(bench)
    _print_folds(bench, wanted.repeats)
    _print_sources(bench)


def _print_resampled(bench: Bench) -> None:
    """How far the shipped numbers' F1 moves with the choice of traces alone."""
    dice, groups = random.Random(5), _groups(bench.rows)
    f1s = []
    for _ in range(500):
        drawn = [at for group in dice.choices(list(groups.values()), k=len(groups)) for at in group]
        f1s.append(bench.score(DEFAULT, drawn)[0].as_dict()["f1"] or 0.0)
    f1s.sort()
    print(f"shipped numbers, traces resampled: F1 95 % of draws {f1s[12]:.3f} to {f1s[487]:.3f}")


def _print_folds(bench: Bench, repeats: int) -> None:
    results, chosen = [], []
    for seed in range(repeats):
        dice = random.Random(seed)
        agents, people = Confusion(), Confusion()
        for held in _split(bench.rows, dice):
            rest = [at for at in range(len(bench.rows)) if at not in held]
            numbers = bench.choose(rest, dice)
            chosen.append(numbers)
            for total, part in zip((agents, people), bench.score(numbers, held), strict=True):
                _add(total, part)
        results.append((agents.as_dict(), people.as_dict()))
        print(f"  repeat {seed + 1}: {_figures(agents, people)}", flush=True)
    f1s = [a["f1"] for a, _ in results]
    print(
        f"chosen in {FOLDS} folds, {repeats} times: F1 {statistics.mean(f1s):.3f} ± {statistics.pstdev(f1s):.3f}"
        f" ({min(f1s):.3f} to {max(f1s):.3f}), FPR {statistics.mean(a['fpr'] for a, _ in results):.3f},"
        f" people {statistics.mean(p['fpr'] for _, p in results):.4f}"
    )
    print("how often each value was chosen:")
    for name in (name for own in NUMBERS.values() for name in own):
        counts = {value: sum(getattr(n, name) == value for n in chosen) for value in _values(name)}
        shares = "  ".join(f"{value:g}: {100 * count // len(chosen)} %" for value, count in counts.items() if count)
        print(f"  {name:22} shipped {getattr(DEFAULT, name):<5g} {shares}")


def _print_sources(bench: Bench) -> None:
    print("chosen without one source, measured on it (five starts):")
    for source in sorted({row["source"] for row in bench.rows if row["source"] not in PEOPLE_ONLY}):
        held = [at for at, row in enumerate(bench.rows) if row["source"] == source]
        rest = [at for at in range(len(bench.rows)) if at not in set(held)]
        f1s = []
        for seed in range(5):
            agents, _ = bench.score(bench.choose(rest, random.Random(seed)), held)
            f1s.append(agents.as_dict())
        mean = {key: statistics.mean(f[key] or 0 for f in f1s) for key in ("f1", "fpr")}
        print(
            f"  {source:20} F1 {mean['f1']:.3f}, FPR {mean['fpr']:.3f}; shipped {_figures(*bench.score(DEFAULT, held))}"
        )


def _print_curves(bench: Bench) -> None:
    print("one number at a time (F1 / FPR / people), * shipped:")
    for field in fields(Thresholds):
        cells = []
        for value in _values(field.name):
            agents, people = bench.score(with_numbers(DEFAULT, {field.name: value}), range(len(bench.rows)))
            a, p = agents.as_dict(), people.as_dict()
            mark = "*" if value == getattr(DEFAULT, field.name) else ""
            cells.append(f"{mark}{value:g}: {a['f1']:.3f}/{a['fpr']:.3f}/{p['fpr']:.4f}")
        if cells:
            print(f"  {field.name:22} {'  '.join(cells)}")


def _alarms(trace: Sequence[Any], rule: Rule, numbers: Thresholds) -> bool:
    detector = LoopDetector(numbers=numbers, disabled=set(Rule) - {rule})
    return any(found.confidence >= THRESHOLD for step in trace for found in detector.observe(step))


def _worth(agents: Confusion, people: Confusion) -> float:
    a, p = agents.as_dict(), people.as_dict()
    excess = max(0.0, (a["fpr"] or 0) - MOST_FALSE["agents"]) + 10 * max(0.0, (p["fpr"] or 0) - MOST_FALSE["people"])
    return float(a["f1"] or 0) - 3 * excess


def _groups(rows: Sequence[dict[str, Any]]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        groups.setdefault(row["group"], []).append(at)
    return groups


def _split(rows: Sequence[dict[str, Any]], dice: random.Random) -> Iterator[set[int]]:
    """Whole groups only: traces of one task must not stand on both sides."""
    groups = list(_groups(rows).values())
    dice.shuffle(groups)
    for fold in range(FOLDS):
        yield {at for group in groups[fold::FOLDS] for at in group}


def _values(name: str) -> tuple[float, ...]:
    return next((own[name] for own in NUMBERS.values() if name in own), ())


def _add(total: Confusion, part: Confusion) -> None:
    for name in ("tp", "fp", "fn", "tn"):
        setattr(total, name, getattr(total, name) + getattr(part, name))


def _figures(agents: Confusion, people: Confusion) -> str:
    a, p = agents.as_dict(), people.as_dict()
    return f"F1 {a['f1'] or 0:.3f}, FPR {a['fpr'] or 0:.3f}, people {p['fpr'] or 0:.4f}"


if __name__ == "__main__":
    main()
