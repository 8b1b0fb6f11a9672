import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.policy_document import DEFAULT_POLICY, FieldError, PolicyDocument, from_json, merge

CONTRACT = json.loads("""
{"relationship":{"max_depth":5,"timebox_hours":24},
 "threads":{"max_turns":8,"grace_seconds":4,"persona_cooldown_seconds":25,"max_active_threads":5,
            "active_window_minutes":10,"persona_min_turns":2,"min_delay_seconds":2,"max_delay_seconds":8},
 "dialogue":{"clarification_cap":2,"repeat_intent":3,"confirmation_seconds":300,"page_limit":5,
             "timeout_minutes":30,"error_cap":3},
 "workflow":{"max_steps":10,"max_retries":3,"loop_detection_threshold":0.8,"max_response_length":2000,
             "truncation_detection_enabled":true,"auto_retry_on_truncation":true,
             "progress_tracking_enabled":true,"completion_threshold":0.8,"quality_threshold":0.7},
 "flow":{"consecutive_cap":10},
 "handoff":{"idle_release_minutes":10,"warn_minutes":2,"breach_minutes":5}}
""")


def errors_of(partial):
    answer = merge(DEFAULT_POLICY, partial)
    assert isinstance(answer, list), f"{partial} was accepted"
    return [(error.field, error.code) for error in answer]


def test_the_defaults_are_the_contracts_document():
    assert DEFAULT_POLICY.to_json() == CONTRACT


def test_an_empty_change_changes_nothing():
    assert merge(DEFAULT_POLICY, {}) == DEFAULT_POLICY
    assert merge(DEFAULT_POLICY, {"threads": {}}) == DEFAULT_POLICY


def test_a_partial_document_keeps_everything_it_does_not_name():
    merged = merge(DEFAULT_POLICY, {"threads": {"max_turns": 4}, "flow": {"consecutive_cap": 3}})
    expected = json.loads(json.dumps(CONTRACT))
    expected["threads"]["max_turns"], expected["flow"]["consecutive_cap"] = 4, 3
    assert isinstance(merged, PolicyDocument)
    assert merged.to_json() == expected


@pytest.mark.parametrize(
    ("partial", "field", "code"),
    [
        ([], "", "wrong_type"),
        (None, "", "wrong_type"),
        ({"thread": {}}, "thread", "unknown_key"),
        ({"version": 3}, "version", "unknown_key"),
        ({"threads": 8}, "threads", "wrong_type"),
        ({"threads": {"max_turn": 8}}, "threads.max_turn", "unknown_key"),
        ({"threads": {"max_turns": 0}}, "threads.max_turns", "out_of_range"),
        ({"threads": {"max_turns": -1}}, "threads.max_turns", "out_of_range"),
        ({"threads": {"max_turns": 10**400}}, "threads.max_turns", "out_of_range"),
        ({"threads": {"max_turns": 8.5}}, "threads.max_turns", "wrong_type"),
        ({"threads": {"max_turns": "8"}}, "threads.max_turns", "wrong_type"),
        ({"threads": {"max_turns": True}}, "threads.max_turns", "wrong_type"),
        ({"threads": {"max_turns": None}}, "threads.max_turns", "wrong_type"),
        ({"threads": {"grace_seconds": -0.1}}, "threads.grace_seconds", "out_of_range"),
        ({"threads": {"grace_seconds": float("nan")}}, "threads.grace_seconds", "out_of_range"),
        ({"threads": {"grace_seconds": float("inf")}}, "threads.grace_seconds", "out_of_range"),
        ({"threads": {"min_delay_seconds": 9}}, "threads.min_delay_seconds", "inconsistent"),
        ({"threads": {"max_delay_seconds": 1}}, "threads.min_delay_seconds", "inconsistent"),
        ({"relationship": {"timebox_hours": 1e9}}, "relationship.timebox_hours", "out_of_range"),
        ({"dialogue": {"page_limit": 6}}, "dialogue.page_limit", "out_of_range"),
        ({"dialogue": {"page_limit": 0}}, "dialogue.page_limit", "out_of_range"),
        ({"workflow": {"quality_threshold": 1.01}}, "workflow.quality_threshold", "out_of_range"),
        ({"workflow": {"auto_retry_on_truncation": 1}}, "workflow.auto_retry_on_truncation", "wrong_type"),
        ({"handoff": {"warn_minutes": 5}}, "handoff.warn_minutes", "inconsistent"),
        ({"handoff": {"breach_minutes": 2}}, "handoff.warn_minutes", "inconsistent"),
    ],
)
def test_senseless_documents_are_refused_by_dotted_field(partial, field, code):
    assert errors_of(partial) == [(field, code)]


def test_the_message_says_which_kind_of_number_is_wanted():
    assert merge(DEFAULT_POLICY, {"threads": {"max_turns": "x", "grace_seconds": "x"}}) == [
        FieldError("threads.max_turns", "wrong_type", "Must be a whole number."),
        FieldError("threads.grace_seconds", "wrong_type", "Must be a number."),
    ]


def test_a_stored_document_is_read_with_defaults_for_what_it_lacks_and_never_guessed_at():
    assert from_json({"flow": {"consecutive_cap": 3}}).flow.consecutive_cap == 3
    assert from_json({}) == DEFAULT_POLICY
    with pytest.raises(ValueError, match=r"flow\.consecutive_cap out_of_range"):
        from_json({"flow": {"consecutive_cap": 0}})


def test_every_error_is_named_at_once():
    assert errors_of({"threads": {"max_turns": 0, "nope": 1}, "flow": {"consecutive_cap": "x"}, "x": 1}) == [
        ("threads.max_turns", "out_of_range"),
        ("threads.nope", "unknown_key"),
        ("flow.consecutive_cap", "wrong_type"),
        ("x", "unknown_key"),
    ]


@pytest.mark.parametrize(
    "partial",
    [
        {"threads": {"grace_seconds": 0, "persona_cooldown_seconds": 0.5}},
        {"threads": {"min_delay_seconds": 8}},
        {"threads": {"min_delay_seconds": 20, "max_delay_seconds": 20.5}},
        {"relationship": {"timebox_hours": 0.001}},
        {"workflow": {"completion_threshold": 0, "quality_threshold": 1}},
        {"handoff": {"warn_minutes": 0, "breach_minutes": 0.1}},
    ],
)
def test_decimals_and_limits_that_make_sense_are_accepted(partial):
    merged = merge(DEFAULT_POLICY, partial)
    assert isinstance(merged, PolicyDocument)
    for part, settings in partial.items():
        assert merged.to_json()[part].items() >= settings.items()


json_values = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())
documents = st.fixed_dictionaries(
    {},
    optional={
        part: st.fixed_dictionaries({}, optional=dict.fromkeys(settings, json_values))
        for part, settings in CONTRACT.items()
    },
)


@given(documents)
def test_whatever_is_accepted_survives_its_json_and_whatever_is_not_says_why(partial):
    answer = merge(DEFAULT_POLICY, partial)
    if isinstance(answer, PolicyDocument):
        assert merge(DEFAULT_POLICY, json.loads(json.dumps(answer.to_json()))) == answer
    else:
        assert answer
        assert all(error.field and error.code and error.message for error in answer)
