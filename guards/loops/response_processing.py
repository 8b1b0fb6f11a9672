"""ResponseProcessingService: is the answer whole, and what is to be done if it is not (L2)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.content import as_text

MARK = "[Response truncated - showing partial results]"
_TAIL = 4_000  # characters at the end in which an unclosed link or tag is looked for
_SHORT = 100
_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_OPEN_LINK = re.compile(r"\[[^\[\]]{0,300}\]\([^()\s]{0,2000}\Z|\[[^\[\]\n]{1,300}\Z")
_OPEN_TAG = re.compile(r"<[a-zA-Z][^<>]{0,2000}\Z")
_OPEN_BOLD = re.compile(r"(?:^|\s)\*\*(?=\S)(?:(?!\*\*).){0,2000}\Z")
_JSON_START = re.compile(r"\{\s*[\"}]|\[\s*[\"{\[\d\]tfn-]")
_CUT_LITERAL = 5  # characters of a `false` that was cut
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|\n")


class Signal(StrEnum):
    """What made an answer look cut; the last two are weak and never act alone."""

    FINISH_REASON = "finish_reason"
    ELLIPSIS = "ellipsis"
    OPEN_LINK = "open_link"
    OPEN_MARKUP = "open_markup"
    OPEN_FENCE = "open_code_fence"
    OPEN_JSON = "open_json"
    NO_FINAL_PUNCTUATION = "no_final_punctuation"
    SHORT = "short"


WEAK = frozenset({Signal.NO_FINAL_PUNCTUATION, Signal.SHORT})


class TruncationAction(StrEnum):
    RETRY = "retry"
    CONTINUE = "continue"
    REQUEST_MORE = "request_more"


class ResponseContext(StrEnum):
    """Where an answer is going."""

    CHAT = "chat"
    AGENT = "agent"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class AgentResponse:
    """An answer as it came."""

    content: Any
    finish_reason: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TruncationInfo:
    """Whether an answer was cut, where, and what to do."""

    is_truncated: bool
    truncation_point: int | None
    estimated_completeness: float
    suggested_action: TruncationAction
    signals: tuple[Signal, ...] = ()


@dataclass(frozen=True, slots=True)
class ResponseMetadata:
    """Figures about the handling."""

    original_length: int
    handled_length: int
    is_shortened: bool


@dataclass(frozen=True, slots=True)
class ProcessedResponse:
    """An answer fit to be shown and judged."""

    content: str
    is_complete: bool
    is_truncated: bool
    truncation: TruncationInfo
    metadata: ResponseMetadata


def process_response(response: AgentResponse, config: WorkflowConfig = DEFAULT_CONFIG) -> ProcessedResponse:
    """Settle truncation, then shorten what is longer than the policy shows."""
    text = as_text(response.content)
    info = detect_truncation(text, response.finish_reason, config)
    content = handle_truncation(text, info) if info.is_truncated else text
    shortened = len(content) > config.max_response_length
    if shortened:
        content = _shorten(content, config.max_response_length)
    return ProcessedResponse(
        content=content,
        is_complete=bool(text.strip()) and not info.is_truncated and not response.error,
        is_truncated=info.is_truncated,
        truncation=info,
        metadata=ResponseMetadata(len(text), len(content), shortened),
    )


def detect_truncation(
    text: str, finish_reason: str | None = None, config: WorkflowConfig = DEFAULT_CONFIG
) -> TruncationInfo:
    """One strong signal is needed; weak ones only lower the estimate."""
    if not config.truncation_detection_enabled:
        return TruncationInfo(False, None, 1.0, TruncationAction.CONTINUE)
    signals = _signals(text, finish_reason)
    weak = sum(signal in WEAK for signal in signals)
    if len(signals) == weak:
        return TruncationInfo(False, None, round(1.0 - 0.05 * weak, 2), TruncationAction.CONTINUE, signals)
    return TruncationInfo(True, len(text), _completeness(text), _action(text, config), signals)


def handle_truncation(text: str, info: TruncationInfo) -> str:
    """Mark what will be shown as it is; leave alone what is going to be asked for again."""
    if info.suggested_action is TruncationAction.CONTINUE:
        return f"{text}\n\n{MARK}"
    return text


def format_response(response: Any, context: ResponseContext, limit: int = DEFAULT_CONFIG.max_response_length) -> str:
    """An answer for people, for an agent (whole lines, tidy) or for one line of a log."""
    text = as_text(response).strip()
    if context is ResponseContext.LOG:
        text = " ".join(text[: 4 * limit].split())
    elif context is ResponseContext.CHAT:
        text = re.sub(r"\n{3,}", "\n\n", text)
    return text if len(text) <= limit else _shorten(text, limit)


def _signals(text: str, finish_reason: str | None) -> tuple[Signal, ...]:
    body = text.rstrip()
    tail = body[-_TAIL:]
    in_fence = body.count("```") % 2 == 1
    checks = {
        Signal.FINISH_REASON: (finish_reason or "").lower() in _CUT_OFF,
        Signal.ELLIPSIS: body.endswith(("...", "…")),
        Signal.OPEN_FENCE: in_fence,
        Signal.OPEN_LINK: not in_fence and _OPEN_LINK.search(tail) is not None,
        Signal.OPEN_MARKUP: not in_fence and _has_open_markup(tail),
        Signal.OPEN_JSON: _is_open_json(body),
        Signal.NO_FINAL_PUNCTUATION: bool(body) and body[-1].isalnum(),
        Signal.SHORT: 0 < len(body) < _SHORT,
    }
    return tuple(signal for signal, seen in checks.items() if seen)


def _has_open_markup(tail: str) -> bool:
    last_line = tail.rsplit("\n", 1)[-1]
    return _OPEN_TAG.search(last_line) is not None or _OPEN_BOLD.search(last_line) is not None


def _is_open_json(body: str) -> bool:
    """Starts as a JSON object or array and ends before it is closed."""
    if not _JSON_START.match(body):
        return False
    try:
        json.JSONDecoder().raw_decode(body)
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or len(body) - error.pos <= _CUT_LITERAL
    except (RecursionError, ValueError):
        return False
    return False


def _completeness(text: str) -> float:
    """How much of the text stands before the last finished sentence."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text[-_TAIL:])]
    if not ends:
        return 0.1
    finished = len(text) - min(len(text), _TAIL) + ends[-1]
    return round(min(0.95, max(0.1, finished / len(text))), 2)


def _action(text: str, config: WorkflowConfig) -> TruncationAction:
    if not config.auto_retry_on_truncation:
        return TruncationAction.CONTINUE
    # A higher limit cannot help an answer already longer than we take: ask for the rest instead.
    return TruncationAction.REQUEST_MORE if len(text) >= config.max_response_length else TruncationAction.RETRY


def _shorten(text: str, limit: int) -> str:
    room = max(0, limit - len(MARK) - 2)
    cut = text[:room]
    space = cut.rfind(" ")
    return f"{cut[:space] if space > room // 2 else cut}\n\n{MARK}"
