"""Facts out of words: typed readers, or a model where one is configured, behind one port."""

from datetime import datetime

from flows.engine.outcome import Reply
from flows.engine.runner import Wanted
from flows.extraction.llm import LlmExtractor
from flows.extraction.port import Extractor, FactSpec
from flows.extraction.typed import TypedExtractor
from flows.services.language_model import language_model


def extractor() -> Extractor:
    """The configured one. A model may take seconds: never call it under a lock."""
    model = language_model()
    return TypedExtractor() if model is None else LlmExtractor(model)


def read_reply(text: str, wanted: tuple[Wanted, ...], *, now: datetime, by: Extractor | None = None) -> Reply:
    """A visitor's words as the engine takes them: values, and which words gave each; by the configured reader."""
    specs = [FactSpec.of(each.name, each.spec) for each in wanted]
    found = (by or extractor()).extract(text=text, wanted=specs, now=now).facts
    return Reply(
        text,
        {name: fact.value for name, fact in found.items()},
        {name: fact.span.words for name, fact in found.items()},
    )
