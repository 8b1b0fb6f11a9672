"""What guards and their policy refuse: a code, a status, figures."""

from typing import Any, ClassVar


class GuardError(Exception):
    code: ClassVar[str] = "guard_error"
    status: ClassVar[int] = 409
    title: ClassVar[str] = "A guard refused this"

    def __init__(self, detail: str, **figures: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.figures = figures


class InvalidPolicyError(GuardError):
    code = "invalid"
    status = 422
    title = "The policy is not valid"
