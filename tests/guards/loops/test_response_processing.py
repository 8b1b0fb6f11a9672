"""Truncation: strong signals act, weak ones never alone (L2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guards.loops.config import DEFAULT_CONFIG
from guards.loops.response_processing import (
    MARK,
    AgentResponse,
    ResponseContext,
    Signal,
    TruncationAction,
    detect_truncation,
    format_response,
    process_response,
)


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("The first of the three reasons is...", Signal.ELLIPSIS),
        ("The first of the three reasons is…", Signal.ELLIPSIS),
        ("See [the page](https://example.org/a?b=c", Signal.OPEN_LINK),
        ("See [the pa", Signal.OPEN_LINK),
        ("Run this:\n```python\nprint(1)\n", Signal.OPEN_FENCE),
        ('{"events": [{"name": "Walk', Signal.OPEN_JSON),
        ('[{"a": 1}, {"a": tru', Signal.OPEN_JSON),
        ('{"a": 1,', Signal.OPEN_JSON),
        ("The result is **very impor", Signal.OPEN_MARKUP),
        ('Go to <a href="https://exam', Signal.OPEN_MARKUP),
    ],
)
def test_a_strong_signal_alone_means_truncated(text: str, signal: Signal) -> None:
    info = detect_truncation(text)
    assert info.is_truncated
    assert signal in info.signals


@pytest.mark.parametrize("reason", ["length", "MAX_TOKENS", "max_output_tokens"])
def test_the_model_saying_so_means_truncated(reason: str) -> None:
    assert detect_truncation("A whole sentence.", reason).is_truncated


@pytest.mark.parametrize(
    "text",
    [
        "", "ok", "no final punctuation", "Done [1]", "call f(**kwargs)", "2 ** 3", "**Bold** and plain",
        "a < b and c > d", '{"a": [1, 2]}', "[done]", "[ ] open task", '{"a": 1} and more text',
        "```\ncode\n```", "(see above", "\x00\x01\x02", "x" * 5000, "Wait [see (a)](https://x.org)",
        '{"a": "\\""}',
    ],
)  # fmt: skip
def test_short_or_unpunctuated_text_is_never_truncated_by_that_alone(text: str) -> None:
    assert not detect_truncation(text, "stop").is_truncated


def test_weak_signals_lower_the_estimate_without_acting() -> None:
    assert detect_truncation("ok").estimated_completeness < detect_truncation("x. " * 50).estimated_completeness == 1.0


def test_completeness_is_what_stands_before_the_last_finished_sentence() -> None:
    text = "One sentence here. " * 9 + "and then [an unclosed link](https://exam"
    assert 0.7 < detect_truncation(text).estimated_completeness < 0.95
    assert detect_truncation("[x](http://a").estimated_completeness == 0.1


def test_an_answer_already_longer_than_we_take_is_asked_for_the_rest() -> None:
    info = detect_truncation("word " * 800 + "...")
    assert info.suggested_action is TruncationAction.REQUEST_MORE


def test_detection_can_be_switched_off() -> None:
    off = replace(DEFAULT_CONFIG, truncation_detection_enabled=False)
    assert not detect_truncation("and so...", "length", off).is_truncated


def test_an_answer_is_complete_only_if_whole_there_and_without_error() -> None:
    assert process_response(AgentResponse("All done.")).is_complete
    assert not process_response(AgentResponse("All done...")).is_complete
    assert not process_response(AgentResponse("")).is_complete
    assert not process_response(AgentResponse("All done.", error="boom")).is_complete


def test_a_megabyte_is_shortened_with_its_figures_kept() -> None:
    processed = process_response(AgentResponse("word " * 200_000))
    assert processed.metadata.original_length == 1_000_000
    assert processed.metadata.handled_length == len(processed.content) <= DEFAULT_CONFIG.max_response_length
    assert processed.metadata.is_shortened
    assert processed.content.endswith(MARK)
    assert not processed.is_truncated


def test_any_json_value_is_an_answer() -> None:
    assert process_response(AgentResponse({"a": [1, None]})).content == '{"a": [1, null]}'
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    assert "nested too deep" in process_response(AgentResponse(nested)).content


def test_answers_are_formatted_for_where_they_go() -> None:
    text = "one\n\n\n\ntwo  three"
    assert format_response(text, ResponseContext.LOG) == "one two three"
    assert format_response(text, ResponseContext.CHAT) == "one\n\ntwo  three"
    assert format_response({"a": 1}, ResponseContext.AGENT) == '{"a": 1}'
    assert len(format_response("word " * 1000, ResponseContext.CHAT, 100)) <= 100
