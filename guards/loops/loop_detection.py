"""LoopDetectionService: from findings to an analysis, and from an analysis to a decision (L1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.content import as_text
from guards.loops.detector import LoopDetector
from guards.loops.findings import Finding, LoopAction, LoopType, Rule
from guards.loops.fulfillment_analysis import FulfillmentAnalysis, analyze_fulfillment
from guards.loops.response_processing import AgentResponse, TruncationAction, TruncationInfo, detect_truncation
from guards.loops.steps import Step, tool_call, tool_result
from guards.loops.workflow import WorkflowStep

_ORDER = {LoopType.INFINITE: 0, LoopType.REDUNDANT: 1, LoopType.STUCK: 2}
_WORDS = {
    LoopType.INFINITE: "Infinite loop detected",
    LoopType.REDUNDANT: "Redundant steps detected",
    LoopType.STUCK: "Workflow appears stuck",
}
NORMAL = 0.8
FULFILLED = 0.8


@dataclass(frozen=True, slots=True)
class LoopAnalysis:
    """Whether there is a loop; below the policy's threshold `confidence` is only a suspicion."""

    has_loop: bool
    loop_type: LoopType | None
    confidence: float
    affected_steps: tuple[int, ...]
    suggested_action: LoopAction
    rule: Rule | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WorkflowContext:
    """What has been done so far, and for what."""

    executed_steps: tuple[WorkflowStep, ...]
    original_request: str = ""


@dataclass(frozen=True, slots=True)
class ContinuationDecision:
    """Whether to go on, why, how sure, and how."""

    should_continue: bool
    reason: str
    confidence: float
    next_action: LoopAction


def steps_of(step: WorkflowStep) -> tuple[Step, ...]:
    """A workflow step as the detector sees it: the call and, once there is one, its result."""
    call = tool_call(step.operation, step.parameters)
    if step.response is None and not step.error:
        return (call,)
    text = as_text(step.response) or (step.error or "")
    return (call, tool_result(step.operation, text, error=step.failed, truncated=step.truncated))


def findings_per_step(steps: Iterable[WorkflowStep]) -> list[list[Finding]]:
    """Replay a run: what each step gave rise to."""
    detector = LoopDetector()
    return [
        [found for part in steps_of(step) for found in detector.observe(part, number)]
        for number, step in enumerate(steps)
    ]


def judge(findings: Iterable[Finding], config: WorkflowConfig = DEFAULT_CONFIG) -> LoopAnalysis:
    """Infinite before redundant before stuck; a loop is what reaches the policy's threshold."""
    found = sorted(findings, key=lambda f: -f.confidence)
    alarms = [f for f in found if f.confidence >= config.loop_detection_threshold]
    if not alarms:
        suspicion = found[0].confidence if found else 0.0
        return LoopAnalysis(False, None, suspicion, (), LoopAction.CONTINUE, None)
    first = min(alarms, key=lambda f: _ORDER[f.loop_type])
    return LoopAnalysis(True, first.loop_type, first.confidence, first.evidence, first.action, first.rule, first.detail)


def analyze_workflow(steps: Sequence[WorkflowStep], config: WorkflowConfig = DEFAULT_CONFIG) -> LoopAnalysis:
    """Whether the run has looped anywhere."""
    return judge([found for at_step in findings_per_step(_settled(steps, config)) for found in at_step], config)


def detect_infinite_loop(steps: Sequence[WorkflowStep], config: WorkflowConfig = DEFAULT_CONFIG) -> LoopAnalysis:
    """Whether the run ends in an infinite loop."""
    ended = findings_per_step(_settled(steps, config))[-1:]
    return judge([f for at_step in ended for f in at_step if f.loop_type is LoopType.INFINITE], config)


def should_continue(
    step: WorkflowStep, context: WorkflowContext, config: WorkflowConfig = DEFAULT_CONFIG
) -> ContinuationDecision:
    """Whether to go on with this step, given those executed; its own answer is only asked whether it fulfils."""
    executed = _settled(context.executed_steps, config)
    last = findings_per_step(executed)[-1:] or [[]]
    response = AgentResponse(step.response, step.finish_reason, step.error)
    return decide(
        judge(last[0], config),
        taken=len(executed),
        truncation=_truncation_of(executed[-1], config) if executed else None,
        retries=sum(done.truncated for done in executed),
        fulfillment=analyze_fulfillment(context.original_request, response, config),
        config=config,
    )


def decide(
    analysis: LoopAnalysis,
    *,
    taken: int,
    truncation: TruncationInfo | None,
    retries: int,
    fulfillment: FulfillmentAnalysis,
    config: WorkflowConfig = DEFAULT_CONFIG,
) -> ContinuationDecision:
    """The budget ends a run whatever else is true; then truncation, then loops, then fulfilment (L1, L4a)."""
    if taken >= config.max_steps:
        return _stop(f"Step budget exhausted: {taken} of {config.max_steps} steps (max_steps)")
    if truncation is not None and truncation.is_truncated:
        return _after_truncation(truncation, retries, config)
    if analysis.has_loop and analysis.loop_type is not None:
        reason = f"{_WORDS[analysis.loop_type]}: {analysis.detail}"
        return ContinuationDecision(False, reason, analysis.confidence, analysis.suggested_action)
    if fulfillment.is_fulfilled and fulfillment.score > FULFILLED:
        return ContinuationDecision(False, "User request fulfilled", fulfillment.score, LoopAction.CONTINUE)
    doubt = max(0.0, analysis.confidence - (1.0 - NORMAL))
    return ContinuationDecision(True, "Workflow progressing normally", round(NORMAL - doubt, 2), LoopAction.CONTINUE)


def _settled(steps: Sequence[WorkflowStep], config: WorkflowConfig) -> list[WorkflowStep]:
    return [with_truncation(step, _truncation_of(step, config)) for step in steps]


def with_truncation(step: WorkflowStep, info: TruncationInfo) -> WorkflowStep:
    """The step with its truncation settled, before anything else looks at it."""
    return replace(step, truncated=info.is_truncated and not step.failed)


def _truncation_of(step: WorkflowStep, config: WorkflowConfig) -> TruncationInfo:
    return detect_truncation(as_text(step.response), step.finish_reason, config)


def _after_truncation(info: TruncationInfo, retries: int, config: WorkflowConfig) -> ContinuationDecision:
    sure = round(1.0 - info.estimated_completeness / 2, 2)
    if info.suggested_action is TruncationAction.CONTINUE:
        return ContinuationDecision(True, "Response truncated: partial results shown", sure, LoopAction.CONTINUE)
    if retries > config.max_retries:
        return _stop(f"Retry budget exhausted: {config.max_retries} retries of cut responses (max_retries)")
    how = "ask for the rest" if info.suggested_action is TruncationAction.REQUEST_MORE else "retry with a higher limit"
    return ContinuationDecision(True, f"Response truncated: {how}", sure, LoopAction.RETRY)


def _stop(reason: str) -> ContinuationDecision:
    return ContinuationDecision(False, reason, 1.0, LoopAction.STOP)
