"""One bounded question to an OpenAI-compatible endpoint; whatever goes wrong has a name."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Any

import httpx2

if TYPE_CHECKING:
    import openai  # takes seconds to load: only who asks a model waits for it

MAX_ANSWER_BYTES = 128 * 1024


@dataclass(frozen=True, slots=True)
class LlmConfig:
    """Where the model is (`LLM_BASE_URL`, `LLM_API_KEY`, `LLM_MODEL`) and how long a turn may wait for it."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout_seconds: float = 8.0


class LlmFailure(Exception):
    """The model gave no usable answer; `code` says why and carries nothing of the conversation."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@lru_cache(maxsize=8)
def _client(config: LlmConfig) -> "openai.OpenAI":
    import openai

    # No retries: a visitor is waiting, and both callers have something to say without the model.
    return openai.OpenAI(
        base_url=config.base_url,
        api_key=config.api_key or "unset",
        timeout=config.timeout_seconds,
        max_retries=0,
    )


def complete(
    config: LlmConfig,
    *,
    messages: Sequence[Mapping[str, str]],
    max_tokens: int,
    schema: Mapping[str, Any] | None = None,
) -> str:
    """The model's answer to `messages`, as JSON of `schema` where one is given. Raises `LlmFailure`."""
    import openai

    options: dict[str, Any] = {}
    if schema is not None:
        wrapped = {"name": "answer", "strict": True, "schema": schema}
        options["response_format"] = {"type": "json_schema", "json_schema": wrapped}
    create = _client(config).chat.completions.with_streaming_response.create
    deadline = time.monotonic() + config.timeout_seconds

    def ask() -> str:
        with create(
            model=config.model,
            messages=list(messages),  # type: ignore[arg-type]  # plain role/content mappings are what it takes
            temperature=0,
            max_tokens=max_tokens,
            **options,
        ) as response:
            return _content(_read_bounded(response.iter_bytes(), deadline))

    try:
        return _within(config.timeout_seconds, ask)
    except (openai.APITimeoutError, httpx2.TimeoutException) as error:
        raise LlmFailure("timeout") from error
    except openai.RateLimitError as error:
        raise LlmFailure("rate_limited") from error
    except openai.APIStatusError as error:
        raise LlmFailure(f"http_{error.status_code}") from error
    except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise LlmFailure("unreachable") from error


def _within(seconds: float, ask: Callable[[], str]) -> str:
    """The answer, or `LlmFailure` when the time is up, however the other side spends it.

    The client's timeout is per read: headers that drip in would hold a visitor's turn for as long as they drip.
    """
    answer: Future[str] = Future()

    def run() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    Thread(target=run, name="llm", daemon=True).start()
    try:
        return answer.result(seconds)
    except TimeoutError as error:
        raise LlmFailure("timeout") from error


def _read_bounded(chunks: Any, deadline: float) -> bytes:
    """The body, unless it is too big or nobody waits for it any more."""
    body = b""
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise LlmFailure("too_large")
        if time.monotonic() > deadline:
            raise LlmFailure("timeout")
    return body


def _content(body: bytes) -> str:
    answer = parse_json(body)
    try:
        choice = answer["choices"][0]
        content, finished = choice["message"]["content"], choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise LlmFailure("wrong_schema") from error
    if finished in ("length", "content_filter"):
        raise LlmFailure("incomplete")
    if not isinstance(content, str) or not content.strip():
        raise LlmFailure("empty")
    return content


def parse_json(document: str | bytes) -> Any:
    """Parse what a stranger sent; also deep nesting is no more than bad JSON."""
    try:
        return json.loads(document)
    except (ValueError, RecursionError) as error:
        raise LlmFailure("not_json") from error
