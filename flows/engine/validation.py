"""Everything that can be said about a flow before anybody meets it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .bounds import turn_bound, worst_waits
from .checks import facts, policies, reachability, references
from .compiled import CompiledFlow, compile_flow
from .definition import FlowDefinition
from .explore import explore
from .findings import Code, Finding, FlowNotLoadable, Level, has_errors, pointer
from .happy import HappyPath, happy_path
from .parsing import Parsed, parse, parse_text
from .runtime import Status
from .wording import sentence

CHECKS: tuple[Callable[[FlowDefinition], Iterator[Finding]], ...] = (
    references.check,
    facts.check,
    reachability.check,
    policies.check,
)
MAX_PLAYS = 2_000
MAX_PLAYED_CELLS = 200_000
"""States, and states times nodes, that a check may look at: it runs while somebody types."""
_SEVERITY = {Level.ERROR: 0, Level.WARNING: 1, Level.INFO: 2}


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of `/flows/validate`; figures are empty where the document cannot be read."""

    findings: tuple[Finding, ...]
    turn_bound: int | None
    happy_path: tuple[str, ...]
    critical_nodes: tuple[str, ...]
    worst_wait: dict[str, int | None]

    @property
    def ok(self) -> bool:
        """Whether the flow may be published."""
        return not has_errors(self.findings)

    def to_json(self, translate: Callable[[str], str] = str) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "findings": [finding.to_json(translate) for finding in self.findings],
            "turn_bound": self.turn_bound,
            "happy_path": list(self.happy_path),
            "critical_nodes": list(self.critical_nodes),
            "worst_wait": self.worst_wait,
        }


def validate(document: Any) -> Report:
    """Judge a decoded JSON document; never raises."""
    return _report(parse(document))


def validate_text(text: str) -> Report:
    """Judge JSON text; never raises."""
    return _report(parse_text(text))


def _report(parsed: Parsed) -> Report:
    definition, found = parsed
    if definition is None:
        return Report(found, None, (), (), {})
    findings = [*found, *(finding for check in CHECKS for finding in check(definition))]
    flow = _compiled(definition)
    path = happy_path(flow) if flow else None
    if flow and path and path.status is not Status.COMPLETE and Code.GOAL_UNREACHABLE not in {f.code for f in findings}:
        findings.append(_stranded(flow, path))
    return Report(
        findings=tuple(sorted(findings, key=lambda finding: _SEVERITY[finding.level])),
        turn_bound=turn_bound(definition),
        happy_path=path.node_ids if path and path.status is Status.COMPLETE else (),
        critical_nodes=tuple(f.node for f in findings if f.code is Code.CRITICAL_NODE and f.node),
        worst_wait=worst_waits(definition),
    )


def _compiled(definition: FlowDefinition) -> CompiledFlow | None:
    try:
        return compile_flow(definition)
    except FlowNotLoadable:
        return None


def _stranded(flow: CompiledFlow, path: HappyPath) -> Finding:
    """The order of nodes can keep from the goal whom the fixed point sees a way for: play says how many.

    An error where every play there is was played and none arrives; a warning where some do, or there are too many.
    """
    played = explore(flow, max_states=min(MAX_PLAYS, MAX_PLAYED_CELLS // max(1, len(flow.nodes))))
    nobody = played.complete and not played.reaches_goal
    last = path.node_ids[-1] if path.node_ids else None
    who = (
        sentence("no visitor can ever reach the goal")
        if nobody
        else sentence("a visitor who answers everything does not reach the goal")
    )
    if last is None:
        message = sentence("%(who)s: the flow ends in %(status)s", who=who, status=path.status.value)
    else:
        message = sentence(
            "%(who)s: the flow ends in %(status)s after “%(node)s”", who=who, status=path.status.value, node=last
        )
    return Finding(
        Level.ERROR if nobody else Level.WARNING,
        Code.GOAL_UNREACHABLE,
        pointer("primaryGoal"),
        message,
        sentence("let that node satisfy only gates its own facts can open, or ask the missing facts earlier"),
        last,
    )
