"""A reader that may be slow, as long as all its readings together take no longer than somebody waits."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from flows.extraction.port import ExtractionResult, Extractor, FactSpec, Locale
from flows.extraction.typed import TypedExtractor

SPENT = "budget"

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class BudgetedExtractor:
    """Asks `slow` until its readings have taken `seconds`, then reads by rule.

    The reading that spends the last of the budget is waited for: its own time limit is what may come on top.
    """

    slow: Extractor
    seconds: float
    fallback: Extractor = field(default_factory=TypedExtractor)
    spent: float = 0.0

    def extract(
        self,
        *,
        text: str,
        wanted: Sequence[FactSpec],
        now: datetime,
        locale: Locale = Locale(),  # noqa: B008 frozen
    ) -> ExtractionResult:
        if self.spent >= self.seconds:
            result = self.fallback.extract(text=text, wanted=wanted, now=now, locale=locale)
            return replace(result, fallback_reason=SPENT)
        began = time.monotonic()
        result = self.slow.extract(text=text, wanted=wanted, now=now, locale=locale)
        self.spent += time.monotonic() - began
        if self.spent >= self.seconds:
            logger.warning("extraction goes on by typed readers: %s", SPENT)
        return result
