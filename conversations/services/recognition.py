"""What a visitor's message means: by rule, on the catalogue's own words, or by a model where one is configured."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from conversations.domain.errors import InvalidTermsError
from conversations.domain.intents.rules import RuleRecogniser
from conversations.domain.intents.types import Meaning, Recognised, Recogniser
from conversations.domain.intents.understand import understand
from conversations.recognisers.llm import LlmRecogniser
from conversations.selectors.products import vocabulary
from flows.services.language_model import language_model


def understood(content: Mapping[str, Any], *, by_model: bool = True) -> Recognised:
    """A click beats the caller's word, which beats the recogniser's guess. A model may think for seconds: no lock."""
    meaning = content.get("meaning")
    if meaning is not None and meaning not in list(Meaning):
        raise InvalidTermsError(field="meaning", code="unknown_value", message="No quick reply means that.")
    confidence = content.get("confidence")
    return understand(
        text=content.get("text") or "",
        recogniser=recogniser(by_model=by_model),
        meaning=None if meaning is None else Meaning(meaning),
        target_id=content.get("target_id"),
        intent=content.get("intent"),
        confidence=None if confidence is None else float(confidence),
    )


def recogniser(*, by_model: bool) -> Recogniser:
    by_rule = rules(vocabulary())
    model = language_model() if by_model else None
    return by_rule if model is None else LlmRecogniser(model, by_rule)


@lru_cache(maxsize=2)
def rules(words: frozenset[str]) -> RuleRecogniser:
    """Kept as long as the catalogue stands: sorting its words anew for each message would take most of the turn."""
    return RuleRecogniser(words)
