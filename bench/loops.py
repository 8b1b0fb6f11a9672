"""Our loop detector beside the published ones, rule by rule, and its cost against the length of a history.

python bench/loops.py [FOLDER with dev.jsonl and peers.py; default ../shared/loopbench]
"""

import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from guards.loops.detector import LoopDetector
from guards.loops.evaluation import Confusion, first_alarm
from guards.loops.findings import Rule
from guards.loops.steps import Step, step_from_dict, tool_call, tool_result

PEOPLE_ONLY = ("sgd_dialogue", "taskmaster4")
THRESHOLD = 0.8
Detector = Callable[[list[dict[str, Any]]], bool]


def main() -> None:
    """Print the three tables."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder()
    rows = [json.loads(line) for line in (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines() if line]
    peers = _module(folder / "peers.py")
    print(f"{'detector':28}{'precision':>10}{'recall':>8}{'F1':>7}{'FPR':>8}{'people':>8}{'µs/step':>9}")
    _show("lastword", lambda steps: first_alarm(steps) is not None, rows)
    for name in peers.PEERS:
        _show(name, _peer(peers, name), rows)
    print("\none rule alone, and all rules but one")
    for rule in Rule:
        _show(f"only {rule}", _with(set(Rule) - {rule}), rows)
        _show(f"without {rule}", _with({rule}), rows)
    print(f"\ncost against length (an empty loop turn takes {_loop_turn():.0f} ns of processor time here)")
    for length in (10, 1_000, 100_000):
        print(f"{length:>9,} steps: {_cost(length):6.1f} µs/step")


def default_folder() -> Path:
    """Where the traces lie, seen from a checkout or from a worktree beside it."""
    return next((p for p in (Path("../shared/loopbench"), Path("../../shared/loopbench")) if p.exists()), Path())


def _peer(peers: ModuleType, name: str) -> Detector:
    rule = getattr(peers, name)
    return lambda steps: bool(rule(steps)[0])


def _with(disabled: Iterable[Rule]) -> Detector:
    def detect(steps: list[dict[str, Any]]) -> bool:
        detector = LoopDetector(disabled=tuple(disabled))
        return any(f.confidence >= THRESHOLD for raw in steps for f in detector.observe(step_from_dict(raw)))

    return detect


def _show(name: str, detect: Detector, rows: list[dict[str, Any]]) -> None:
    agents, people = Confusion(), Confusion()
    began = time.process_time()
    for row in rows:
        (people if row["source"] in PEOPLE_ONLY else agents).count(row["label"], detect(row["steps"]))
    spent = 1e6 * (time.process_time() - began) / sum(len(row["steps"]) for row in rows)
    a, p = agents.as_dict(), people.as_dict()
    figures = "".join(f"{a[key] or 0:>{width}.3f}" for key, width in (("precision", 10), ("recall", 8), ("f1", 7)))
    print(f"{name:28}{figures}{a['fpr'] or 0:>8.3f}{p['fpr'] or 0:>8.4f}{spent:>9.1f}")


def _loop_turn() -> float:
    """How fast this machine is just now; costs are only comparable beside it."""
    turns = 1_000_000
    began = time.process_time()
    for _ in range(turns):
        pass
    return 1e9 * (time.process_time() - began) / turns


def _cost(length: int) -> float:
    """Processor time a step of a history without loops: work whose arguments and answers always differ."""
    repeats = max(1, 2_000 // length)
    histories = [list(_work(length)) for _ in range(repeats)]
    began = time.process_time()
    for history in histories:
        detector = LoopDetector()
        for step in history:
            detector.observe(step)
    return 1e6 * (time.process_time() - began) / (length * repeats)


def _work(length: int) -> Iterator[Step]:
    for n in range(length // 2):
        query = f"what became of order {n} of customer {n * 7919 % 10_007} in region {n % 13}"
        yield tool_call("search", {"query": query, "page": n})
        yield tool_result("search", f"order {n}: " + " ".join(f"item{n * k % 997}" for k in range(1, 60)))


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("loop_peers", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"cannot read {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
