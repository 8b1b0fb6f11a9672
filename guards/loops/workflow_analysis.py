"""WorkflowAnalysisService: how far a run has come, what holds it up, what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.fulfillment_analysis import analyze_fulfillment, satisfaction
from guards.loops.response_processing import AgentResponse
from guards.loops.workflow import WorkflowState

_PLANNING = ("plan", "think", "decide", "outline")
_VALIDATING = ("verify", "validate", "check", "test", "confirm", "review", "assert")


class Phase(StrEnum):
    PLANNING = "planning"
    EXECUTION = "execution"
    VALIDATION = "validation"
    COMPLETION = "completion"


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """An operation that holds the run up."""

    operation: str
    reason: str
    severity: float


@dataclass(frozen=True, slots=True)
class ProgressAnalysis:
    """Where the run stands."""

    completion_percentage: float
    current_phase: Phase
    remaining_steps: int
    estimated_time_remaining: float
    bottlenecks: tuple[Bottleneck, ...]


@dataclass(frozen=True, slots=True)
class CompletionAnalysis:
    """Whether the run is done, and how well."""

    is_complete: bool
    completion_score: float
    missing_elements: tuple[str, ...]
    quality_score: float
    user_satisfaction: float


@dataclass(frozen=True, slots=True)
class NextStepSuggestion:
    """Something worth doing next; a higher priority first."""

    operation: str
    reason: str
    priority: float


def analyze_progress(state: WorkflowState, config: WorkflowConfig = DEFAULT_CONFIG) -> ProgressAnalysis:
    """Progress by what the answers have covered of the request; without one, by productive steps of the budget."""
    done = _share_done(state, config)
    complete = is_workflow_complete(state, config).is_complete
    remaining = 0 if complete else _remaining(state, done, config)
    pace = state.seconds / state.timed if state.timed else 0.0
    return ProgressAnalysis(
        completion_percentage=100.0 if complete else round(100 * done, 1),
        current_phase=_phase(state, complete),
        remaining_steps=remaining,
        estimated_time_remaining=round(pace * remaining, 1),
        bottlenecks=find_bottlenecks(state) if config.progress_tracking_enabled else (),
    )


def is_workflow_complete(state: WorkflowState, config: WorkflowConfig = DEFAULT_CONFIG) -> CompletionAnalysis:
    """Complete when the answers together fulfil the request well enough and the last one is whole."""
    last = state.last
    if last is None:
        return CompletionAnalysis(False, 0.0, state.elements.all, 0.0, 0.0)
    response = AgentResponse(last.response, last.finish_reason, last.error)
    fulfillment = analyze_fulfillment(state.original_request, response, config, state.covered)
    quality = _quality(state)
    missing = tuple(missing.element for missing in fulfillment.missing_elements)
    complete = fulfillment.is_fulfilled and last.productive and quality >= config.quality_threshold
    burden = sum(issue.severity for issue in fulfillment.quality_issues)
    return CompletionAnalysis(
        is_complete=complete,
        completion_score=fulfillment.score,
        missing_elements=missing,
        quality_score=quality,
        user_satisfaction=satisfaction(fulfillment.score * quality, burden),
    )


def suggest_next_steps(state: WorkflowState, config: WorkflowConfig = DEFAULT_CONFIG) -> tuple[NextStepSuggestion, ...]:
    """What to do about the last step first, then what the request still lacks."""
    completion = is_workflow_complete(state, config)
    last = state.last
    if completion.is_complete:
        return (NextStepSuggestion("finish", "the request is fulfilled", 1.0),)
    suggestions = []
    if last is not None and last.truncated:
        suggestions.append(NextStepSuggestion(last.operation, "its answer broke off: ask for the rest", 1.0))
    elif last is not None and last.failed:
        suggestions.append(NextStepSuggestion(last.operation, "it failed: change its arguments or use another", 0.9))
    missing = completion.missing_elements
    suggestions += [
        NextStepSuggestion("gather", f"“{element}” is still open", round(0.8 - 0.4 * place / len(missing), 2))
        for place, element in enumerate(missing)
    ]
    return tuple(sorted(suggestions, key=lambda s: -s.priority))


def find_bottlenecks(state: WorkflowState) -> tuple[Bottleneck, ...]:
    """Operations that mostly fail, or take most of the time, or most of the steps."""
    found = []
    for name, totals in state.operations.items():
        if totals.failures >= 2:
            share = totals.failures / totals.steps
            found.append(Bottleneck(name, f"failed {totals.failures} of {totals.steps} times", round(share, 2)))
        elif state.taken >= 4 and totals.seconds > state.seconds / 2:
            found.append(Bottleneck(name, "takes most of the time", round(totals.seconds / state.seconds, 2)))
        elif totals.steps >= 4 and totals.steps > state.taken / 2:
            found.append(Bottleneck(name, "takes most of the steps", round(totals.steps / state.taken, 2)))
    return tuple(sorted(found, key=lambda b: -b.severity))


def _share_done(state: WorkflowState, config: WorkflowConfig) -> float:
    wanted = state.elements.all
    if wanted:
        return len(state.covered & set(wanted)) / len(wanted)
    return min(1.0, state.productive / config.max_steps)


def _remaining(state: WorkflowState, done: float, config: WorkflowConfig) -> int:
    budget = max(0, config.max_steps - state.taken)
    if not state.productive or not done:
        return budget
    pace = done / state.productive
    return min(budget, max(1, ceil((1.0 - done) / pace)))


def _phase(state: WorkflowState, complete: bool) -> Phase:
    if complete:
        return Phase.COMPLETION
    if state.last is None:
        return Phase.PLANNING
    name = state.last.operation.lower()
    if any(word in name for word in _VALIDATING):
        return Phase.VALIDATION
    if not state.productive or any(word in name for word in _PLANNING):
        return Phase.PLANNING
    return Phase.EXECUTION


def _quality(state: WorkflowState) -> float:
    """The share of steps that came to something, the broken-off ones counting half."""
    return round((state.productive + 0.5 * state.truncated) / state.taken, 2)
