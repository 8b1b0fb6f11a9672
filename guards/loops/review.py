"""The facade: one step in, the whole answer of `POST /relationships/{id}/steps` out, in the fixed order of L1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.dependencies import analyze_dependencies
from guards.loops.detector import LoopDetector
from guards.loops.findings import Finding, Rule
from guards.loops.fulfillment_analysis import FulfillmentAnalysis, analyze_fulfillment, score_of, suggest_improvements
from guards.loops.history import WorkflowReader
from guards.loops.loop_detection import (
    ContinuationDecision,
    LoopAnalysis,
    decide,
    judge,
    steps_of,
    with_truncation,
)
from guards.loops.memory import DetectorState
from guards.loops.resolutions import NO_ESCALATION, Escalation, escalate, suggest_resolution
from guards.loops.response_processing import AgentResponse, ProcessedResponse, process_response
from guards.loops.steps import Step
from guards.loops.workflow import WorkflowState, WorkflowStep
from guards.loops.workflow_analysis import analyze_progress, is_workflow_complete, suggest_next_steps


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """What is kept between two steps of a run: bounded, and JSON all through."""

    state: WorkflowState = field(default_factory=WorkflowState)
    detector: dict[str, Any] = field(default_factory=dict)
    alarms: int = 0

    def to_json(self) -> dict[str, Any]:
        """As the service stores it with the relationship."""
        return {"state": self.state.to_json(), "detector": self.detector, "alarms": self.alarms}

    @classmethod
    def from_json(cls, raw: dict[str, Any] | None) -> WorkflowRun:
        """The inverse of to_json; nothing stored is a run not yet begun."""
        if not raw:
            return cls()
        return cls(WorkflowState.from_json(raw["state"]), raw["detector"], raw["alarms"])


@dataclass(frozen=True, slots=True)
class StepReview:
    """Everything known about a run once its latest step is in."""

    step_index: int
    processed: ProcessedResponse
    analysis: LoopAnalysis
    decision: ContinuationDecision
    fulfillment: FulfillmentAnalysis
    state: WorkflowState
    config: WorkflowConfig
    findings: tuple[Finding, ...] = ()
    escalation: Escalation = NO_ESCALATION

    def as_dict(self) -> dict[str, Any]:
        """The answer of the contract; the service adds step_id, duplicate and finding_id."""
        recent = self.state.recent
        return {
            "step_index": self.step_index,
            "processed": asdict(self.processed),
            "analysis": asdict(self.analysis),
            "decision": asdict(self.decision),
            "progress": {
                **asdict(analyze_progress(self.state, self.config)),
                "completion": asdict(is_workflow_complete(self.state, self.config)),
                "next_steps": [asdict(step) for step in suggest_next_steps(self.state, self.config)],
                "dependencies": asdict(analyze_dependencies(recent, self.state.taken - len(recent))),
            },
            "fulfillment": {
                **asdict(self.fulfillment),
                "scores": asdict(score_of(self.fulfillment, self.state.original_request)),
                "improvements": [asdict(better) for better in suggest_improvements(self.fulfillment)],
            },
            "resolutions": [asdict(way) for way in suggest_resolution(self.analysis)],
            "escalation": asdict(self.escalation),
        }


def take(run: WorkflowRun, step: WorkflowStep, original_request: str = "") -> tuple[WorkflowRun, list[Finding]]:
    """The run with this step in it, and what the step gave rise to; no setting changes what is remembered."""
    detector = LoopDetector(DetectorState.from_json(run.detector))
    findings = [found for part in steps_of(step) for found in detector.observe(part, run.state.taken)]
    state = asked_for(run.state, original_request).after(step)
    return replace(run, state=state, detector=detector.state.to_json()), findings


def asked_for(state: WorkflowState, original_request: str) -> WorkflowState:
    """The request is the one named first."""
    return state if state.original_request else replace(state, original_request=original_request)


def review_step(
    run: WorkflowRun,
    step: WorkflowStep,
    config: WorkflowConfig = DEFAULT_CONFIG,
    *,
    kept: WorkflowStep | None = None,
    original_request: str = "",
    can_hand_off: bool = True,
) -> tuple[WorkflowRun, StepReview]:
    """The run with this step in it, and the review; `kept` is what is remembered of a step too long to keep whole."""
    response = AgentResponse(step.response, step.finish_reason, step.error)
    processed = process_response(response, config)
    run, findings = take(run, with_truncation(kept or step, processed.truncation), original_request)
    findings = heeded(findings, config)
    analysis = judge(findings, config)
    alarms = run.alarms + analysis.has_loop
    review = replace(
        _review(run.state, response, processed, analysis, config),
        findings=tuple(findings),
        escalation=escalate(analysis, alarms, config, can_hand_off=can_hand_off),
    )
    return replace(run, alarms=alarms), review


def heeded(findings: Iterable[Finding], config: WorkflowConfig) -> list[Finding]:
    """What the policy wants to hear of."""
    return [found for found in findings if config.progress_tracking_enabled or found.rule is not Rule.NO_PROGRESS]


def review_history(original_request: str, steps: Iterable[Step], config: WorkflowConfig = DEFAULT_CONFIG) -> StepReview:
    """A whole recorded run at once (`POST /loops/analyze`): a loop anywhere in it is a loop."""
    detector = LoopDetector()
    reader = WorkflowReader(original_request, config)
    verdict = judge((), config)
    evidence: tuple[Finding, ...] = ()
    alarms = index = 0
    for index, raw in enumerate(steps):  # noqa: B007 - the last index is part of the answer
        found = tuple(heeded(detector.observe(reader.take(raw)), config))
        analysis = judge(found, config)
        alarms += analysis.has_loop
        if not verdict.has_loop and analysis.confidence > verdict.confidence:
            verdict, evidence = analysis, found
    state = reader.finish()
    processed = process_response(reader.latest, config)
    review = _review(state, reader.latest, processed, verdict, config)
    return replace(review, step_index=index, findings=evidence, escalation=escalate(verdict, alarms, config))


def _review(
    state: WorkflowState,
    response: AgentResponse,
    processed: ProcessedResponse,
    analysis: LoopAnalysis,
    config: WorkflowConfig,
) -> StepReview:
    fulfillment = analyze_fulfillment(state.original_request, response, config, state.covered)
    decision = decide(
        analysis,
        taken=state.taken,
        truncation=processed.truncation,
        retries=state.truncated,
        fulfillment=fulfillment,
        config=config,
    )
    return StepReview(
        step_index=max(0, state.taken - 1),
        processed=processed,
        analysis=analysis,
        decision=decision,
        fulfillment=fulfillment,
        state=state,
        config=config,
    )
