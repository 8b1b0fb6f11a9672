"""The deployment's language model, where there is one."""

from django.conf import settings

from flows.extraction.llm_endpoint import LlmConfig


def language_model() -> LlmConfig | None:
    """May take seconds to answer: never ask it under a lock."""
    if not (settings.LLM_BASE_URL and settings.LLM_MODEL):
        return None
    return LlmConfig(settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY)
