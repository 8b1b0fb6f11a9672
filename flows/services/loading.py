"""A definition made ready to be used, or the refusal that says why it cannot be."""

from typing import Any

from flows.engine.compiled import CompiledFlow, load
from flows.engine.findings import FlowNotLoadable
from flows.engine.parsing import parse
from flows.engine.wording import sentence
from flows.errors import FlowInvalidError


def loaded(definition: dict[str, Any]) -> CompiledFlow:
    """The flow, ready to decide."""
    try:
        return load(definition)
    except FlowNotLoadable as problem:
        raise FlowInvalidError(sentence("The definition does not load."), problem.findings) from problem


def readable(definition: dict[str, Any]) -> dict[str, Any]:
    """The definition, whose parts are at least what they should be; it may still be wrong."""
    parsed = parse(definition)
    if parsed.definition is None:
        raise FlowInvalidError(sentence("The definition cannot be read."), parsed.findings)
    return definition
