"""What the flows refuse: a code, a status, figures."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from flows.engine.findings import Finding
from flows.engine.wording import Sentence


class FlowError(Exception):
    code: ClassVar[str] = "flow_error"
    status: ClassVar[int] = 409
    title: ClassVar[str] = "The flow refused this"

    def __init__(self, detail: str, **figures: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.figures = figures


class FlowNotFoundError(FlowError):
    code = "not_found"
    status = 404
    title = "There is no such flow"


class SlugTakenError(FlowError):
    code = "slug_taken"
    title = "A flow of that name exists"


class DraftConflictError(FlowError):
    code = "draft_conflict"
    title = "Somebody saved the draft after you read it"


class FlowInvalidError(FlowError):
    """A definition with errors, and the findings that name them."""

    code = "flow_invalid"
    status = 422
    title = "The flow cannot be published"

    def __init__(self, says: Sentence, findings: Iterable[Finding]) -> None:
        super().__init__(str(says))
        self.says, self.findings = says, tuple(findings)
        self.say(str)

    def say(self, translate: Callable[[str], str]) -> None:
        """Puts the refusal into the language of a page; the API's is English."""
        self.detail = self.says.said(translate)
        self.figures = {"findings": [finding.to_json(translate) for finding in self.findings]}


class ScriptsFailedError(FlowError):
    code = "scripts_failed"
    status = 422
    title = "A saved conversation no longer ends as it did"


class FlowChangedError(FlowError):
    """A published version is not what was published: nothing is decided by it."""

    code = "flow_changed"
    title = "The stored flow is not the one this conversation was pinned to"


class InvalidQueryError(FlowError):
    """A query that makes no sense; `errors` names the field, as everywhere in the contract."""

    code = "invalid"
    status = 422
    title = "The request is not valid"

    def __init__(self, *, field: str, code: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "code": code, "message": message}])
