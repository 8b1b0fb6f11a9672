"""What the editor's page sends."""

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from flows.api.schemas import Body, Definition, ScriptLine
from flows.api.schemas import PublishBody as ApiPublishBody

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Revision = Annotated[int, Field(ge=0)]
Version = Annotated[int, Field(ge=1)]


class CheckBody(Body):
    text: str


class DraftBody(Body):
    definition: Definition
    revision: Revision


class NameBody(Body):
    name: Name


class ScriptBody(NameBody):
    script: Annotated[list[ScriptLine], Field(min_length=1, max_length=500)]


class PublishBody(ApiPublishBody):
    revision: Revision


class DiffBody(Body):
    version: Version
    other: Version | None = None
    definition: Definition = {}

    @model_validator(mode="after")
    def one_side(self) -> "DiffBody":
        if (self.other is None) != bool(self.definition):
            raise ValueError("give either another version or a definition")
        return self
