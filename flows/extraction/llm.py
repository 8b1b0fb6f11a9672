"""The same port answered by a language model; without a usable answer the typed extractor steps in."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from flows.extraction.llm_contract import answer_schema, read_answer, request_messages
from flows.extraction.llm_endpoint import LlmConfig, LlmFailure, complete
from flows.extraction.port import MAX_TEXT, Context, ExtractionResult, Extractor, FactSpec, Locale
from flows.extraction.typed import TypedExtractor

_MAX_TOKENS = 1_000

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LlmExtractor:
    """Asks the model, believes only what the message bears out, and says when it had to fall back."""

    config: LlmConfig
    fallback: Extractor = field(default_factory=TypedExtractor)

    def extract(
        self,
        *,
        text: str,
        wanted: Sequence[FactSpec],
        now: datetime,
        locale: Locale = Locale(),  # noqa: B008 frozen
    ) -> ExtractionResult:
        text = text[:MAX_TEXT]
        if not wanted or not text.strip():
            return ExtractionResult()
        context = Context(now=now, locale=locale)
        try:
            content = complete(
                self.config,
                messages=request_messages(text, wanted, context),
                schema=answer_schema(wanted),
                max_tokens=_MAX_TOKENS,
            )
            return read_answer(content, text=text, wanted=wanted, context=context)
        except LlmFailure as failure:
            logger.warning("llm extraction fell back to typed readers: %s", failure.code)
            result = self.fallback.extract(text=text, wanted=wanted, now=now, locale=locale)
            return replace(result, fallback_reason=failure.code)
