"""Reads a recorded sequence of calls, results and messages as a workflow run."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from guards.loops.config import WorkflowConfig
from guards.loops.detector import is_person
from guards.loops.response_processing import AgentResponse, detect_truncation
from guards.loops.steps import Step, StepKind
from guards.loops.workflow import RECENT, WorkflowState, WorkflowStep


class WorkflowReader:
    """Pairs each result with its call; a call never answered counts as a step without a response."""

    def __init__(self, original_request: str, config: WorkflowConfig) -> None:
        self.state = WorkflowState(original_request=original_request)
        self.latest = AgentResponse(None)
        self._config = config
        self._open: deque[Step] = deque()

    def take(self, step: Step) -> Step:
        """Take in one step; the same step with its truncation settled."""
        if step.kind is StepKind.TOOL_CALL:
            self._open.append(step)
            if len(self._open) > RECENT:
                self._count(self._open.popleft(), None)
        elif step.kind is StepKind.TOOL_RESULT:
            step = step._replace(truncated=not step.error and self._is_cut(step.text))
            self._count(self._pop_call(step.operation), step)
            self.latest = AgentResponse(step.text, error=step.text if step.error else None)
        elif not is_person(step.actor):
            found = self.state.elements.covered_by(step.text)
            self.state = replace(self.state, covered=self.state.covered | found)
            self.latest = AgentResponse(step.text)
        return step

    def finish(self) -> WorkflowState:
        """The state once calls left open are counted too."""
        while self._open:
            self._count(self._open.popleft(), None)
        return self.state

    def _pop_call(self, operation: str) -> Step | None:
        for call in reversed(self._open):
            if call.operation == operation:
                self._open.remove(call)
                return call
        return self._open.pop() if self._open else None

    def _count(self, call: Step | None, result: Step | None) -> None:
        failed = result is not None and result.error
        self.state = self.state.after(
            WorkflowStep(
                operation=call.operation if call else result.operation if result else "",
                parameters=call.parameters if call else None,
                response=result.text if result else None,
                error=(result.text or "error") if result and failed else None,
                truncated=bool(result and result.truncated),
            )
        )

    def _is_cut(self, text: str) -> bool:
        return detect_truncation(text, None, self._config).is_truncated
