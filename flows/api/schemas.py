"""What callers send about flows."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

SLUG_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,99}$"
Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN)]
Definition = dict[str, Any]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FlowBody(Body):
    slug: Slug
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    definition: Definition = {}


class ValidateBody(Body):
    definition: Any


class PublishBody(Body):
    note: Annotated[str, StringConstraints(max_length=500)] = ""


class RollbackBody(Body):
    version: Annotated[int, Field(ge=1)]


class NothingBody(Body):
    """Nothing is asked."""


class ScriptLine(Body):
    text: Annotated[str, StringConstraints(max_length=100_000)] = ""
    facts: dict[str, Any] | None = None


class SimulateBody(Body):
    definition: Definition | None = None
    slug: str | None = None
    version: Annotated[int, Field(ge=1)] | None = None
    script: Annotated[list[ScriptLine], Field(max_length=500)]

    @model_validator(mode="after")
    def one_source(self) -> "SimulateBody":
        if (self.definition is None) == (self.slug is None):
            raise ValueError("give either a definition or a slug")
        return self
