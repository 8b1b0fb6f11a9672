"""Who is believed about what a message means: a click, then the caller, then the recogniser."""

from dataclasses import replace

from conversations.domain.intents.text import normalise
from conversations.domain.intents.types import Intent, Meaning, Recognised, Recogniser, Source


def understand(
    *,
    text: str,
    recogniser: Recogniser,
    meaning: Meaning | None = None,
    target_id: str | None = None,
    intent: str | None = None,
    confidence: float | None = None,
) -> Recognised:
    """What the visitor wants, from everything that came with the message."""
    if meaning is not None:
        return Recognised(meaning.value, 1.0, target_id=target_id, source=Source.CLICK)
    if intent is not None:
        label = normalise_label(intent)
        query = text.strip() or None if label == Intent.PRODUCT_SEARCH else None
        sure = 1.0 if confidence is None else confidence
        return Recognised(label, sure, query=query, target_id=target_id, source=Source.CALLER)
    guess = recogniser.recognise(text)
    return replace(
        guess,
        confidence=guess.confidence if confidence is None else confidence,
        target_id=target_id or guess.target_id,
    )


def normalise_label(intent: str) -> str | None:
    """One spelling of an intent label: "Product Search" and "product-search" are the same intent."""
    return normalise(intent).replace("-", "_").replace(" ", "_") or None
