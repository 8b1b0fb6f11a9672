"""How the loop detector fares when the traces come in another shape: cut, thinned, noisy, renamed, put end to end.

python bench/loop_perturbed.py [FILE.jsonl; default ../shared/loopbench/dev.jsonl]

Thresholds are chosen on the traces as they are; a rule that fits single traces shows here as a steep fall.
"""

import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.loops import PEOPLE_ONLY, default_folder
from guards.loops.evaluation import Confusion, first_alarm

Row = dict[str, Any]
Steps = list[Row]
Change = Callable[[Steps, random.Random], Steps]
DIGITS = "0123456789"
JOINED = 3  # traces put end to end
DRAWS = 60  # times, a source


def main() -> None:
    """Print one line for each change of shape."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder() / "dev.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    print(f"{'traces':34}{'F1':>7}{'FPR':>8}{'people':>9}")
    for name, change in CHANGES.items():
        _show(name, [(row, change(row["steps"], random.Random(row["id"]))) for row in rows])
    print(f"\n{JOINED} traces without a loop put end to end")
    dice = random.Random(1)
    for source in sorted({row["source"] for row in rows}):
        quiet = [row for row in rows if row["source"] == source and not row["label"]]
        drawn = [dice.sample(quiet, JOINED) for _ in range(DRAWS)]
        _show(f"  {source}", [(some[0], [step for row in some for step in row["steps"]]) for some in drawn])


def _show(name: str, traces: list[tuple[Row, Steps]]) -> None:
    agents, people = Confusion(), Confusion()
    for row, steps in traces:
        (people if row["source"] in PEOPLE_ONLY else agents).count(row["label"], first_alarm(steps) is not None)
    a, p = agents.as_dict(), people.as_dict()
    print(f"{name:34}{a['f1'] or 0:>7.3f}{a['fpr'] or 0:>8.3f}{p['fpr'] or 0:>9.4f}", flush=True)


def _worded(change: Callable[[str, random.Random], str], *, arguments: bool = True) -> Change:
    def changed(steps: Steps, dice: random.Random) -> Steps:
        return [
            {
                **step,
                "text": change(step["text"] or "", dice),
                "parameters": _each(step["parameters"], change, dice) if arguments else step["parameters"],
            }
            for step in steps
        ]

    return changed


def _each(value: Any, change: Callable[[str, random.Random], str], dice: random.Random) -> Any:
    if isinstance(value, str):
        return change(value, dice)
    if isinstance(value, dict):
        return {name: _each(part, change, dice) for name, part in value.items()}
    return [_each(part, change, dice) for part in value] if isinstance(value, list) else value


def _without_words(share: float) -> Change:
    return _worded(lambda text, dice: re.sub(r"\S+", lambda word: word[0] if dice.random() > share else "", text))


def _without_steps(share: float) -> Change:
    return lambda steps, dice: [step for step in steps if dice.random() > share]


def _other_digits(steps: Steps, dice: random.Random) -> Steps:
    table = str.maketrans(DIGITS, "".join(dice.sample(DIGITS, 10)))
    return _worded(lambda text, _: text.translate(table))(steps, dice)


def _other_ids(text: str, dice: random.Random) -> str:
    return re.sub(r"\b\d{6,}\b", lambda found: "".join(dice.choice(DIGITS) for _ in found[0]), text)


def _calls(change: Callable[[Any], Any]) -> Change:
    return lambda steps, _: [{**s, "parameters": change(s["parameters"])} for s in steps]


def _as_messages(steps: Steps, dice: random.Random) -> Steps:
    return [
        {
            **s,
            "kind": "message",
            "operation": "",
            "text": f"{s['text'] or ''} {s['operation']} {_flat(s['parameters'])}",
        }
        if s["kind"] == "tool_call"
        else {**s, "kind": "message", "operation": "" if s["kind"] == "tool_result" else s["operation"]}
        for s in steps
    ]


def _flat(value: Any) -> str:
    return " ".join(f"{name}: {part}" for name, part in value.items()) if isinstance(value, dict) else str(value or "")


CHANGES: dict[str, Change] = {
    "as they are": lambda steps, _: steps,
    **{f"texts cut at {n}": _worded(lambda t, _, n=n: t[:n], arguments=False) for n in (1_000, 500, 300, 200)},
    "texts and arguments cut at 300": _worded(lambda text, _: text[:300]),
    **{f"{share:.0%} of the steps left out": _without_steps(share) for share in (0.02, 0.05, 0.1, 0.2)},
    **{f"{share:.0%} of the words left out": _without_words(share) for share in (0.02, 0.05, 0.1)},
    "first third missing": lambda steps, _: steps[len(steps) // 3 :],
    "other digits, the same throughout": _other_digits,
    "new ids at every mention": _worded(_other_ids, arguments=False),
    "lower case": _worded(lambda text, _: text.lower()),
    "errors not marked": lambda steps, _: [{**step, "error": False} for step in steps],
    "arguments as JSON text": _calls(json.dumps),
    "arguments as one sentence": _calls(lambda value: {"input": _flat(value)}),
    "no arguments": _calls(lambda _: None),
    "everything as messages": _as_messages,
}


if __name__ == "__main__":
    main()
