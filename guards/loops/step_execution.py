"""StepExecutionService: run one step through a given executor, asking again where the answer breaks off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.content import as_text
from guards.loops.response_processing import (
    AgentResponse,
    ProcessedResponse,
    TruncationAction,
    detect_truncation,
    process_response,
)
from guards.loops.workflow import WorkflowStep


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the executor is asked for: an answer of at most `limit` characters, or the rest of one."""

    step: WorkflowStep
    limit: int
    continue_after: str = ""


Executor = Callable[[Attempt], AgentResponse]


@dataclass(frozen=True, slots=True)
class Execution:
    """The step with its answer, and what it took to get it."""

    step: WorkflowStep
    processed: ProcessedResponse
    attempts: int


def execute_step(step: WorkflowStep, run: Executor, config: WorkflowConfig = DEFAULT_CONFIG) -> Execution:
    """Run the step; while its answer is cut, retry with twice the limit or ask for the rest, up to max_retries."""
    attempt = Attempt(step, config.max_response_length)
    gathered = ""
    for number in range(1, config.max_retries + 2):
        answer = run(attempt)
        text = gathered + as_text(answer.content)
        info = detect_truncation(text, answer.finish_reason, config)
        if not info.is_truncated or answer.error or info.suggested_action is TruncationAction.CONTINUE:
            break
        if number > config.max_retries:
            config = replace(config, auto_retry_on_truncation=False)  # nothing more to ask: mark what there is
            break
        if info.suggested_action is TruncationAction.REQUEST_MORE:
            gathered = text
            attempt = replace(attempt, continue_after=text)
        else:
            attempt = replace(attempt, limit=attempt.limit * 2)
    whole = replace(answer, content=text)
    processed = process_response(whole, config)
    done = replace(
        step,
        response=text,
        finish_reason=answer.finish_reason,
        error=answer.error,
        truncated=processed.is_truncated,
    )
    return Execution(done, processed, number)
