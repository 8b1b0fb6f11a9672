import copy
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.domain.dialogue.record import (
    DialogueState,
    InvalidDialogueStateError,
    SideColumns,
)
from conversations.domain.dialogue.schema import SCHEMA, violations
from tests.conversations.dialogue.world import NOON, pending

VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
VALID = DialogueState(pending_confirmation=pending()).to_json()

junk = st.none() | st.booleans() | st.integers(-3, 9) | st.floats(-2, 8) | st.text(max_size=3) | st.just({})
PATHS = [
    *((name,) for name in VALID),
    *(("pagination", name) for name in ("offset", "limit", "last_query_hash", "extra")),
    *(("pending_confirmation", name) for name in ("action", "target_id", "created_at", "extra")),
    ("extra",),
]


def test_the_schema_itself_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(st.lists(st.tuples(st.sampled_from(PATHS), junk | st.just("DELETE")), max_size=4))
def test_our_check_agrees_with_a_full_json_schema_validator(damage):
    document = copy.deepcopy(VALID)
    for path, value in damage:
        *parents, name = path
        target = document
        for parent in parents:
            target = target.get(parent)
        if not isinstance(target, dict):
            continue
        if value == "DELETE":
            target.pop(name, None)
        else:
            target[name] = value
    assert (violations(document) == []) is VALIDATOR.is_valid(document)


@pytest.mark.parametrize("document", [None, [], "idle", 5])
def test_what_is_no_object_is_no_state(document):
    assert violations(document) == ["document: must be object"]


def test_violations_name_their_path():
    broken = {**VALID, "state": "dancing", "pagination": {"offset": -1, "limit": 6, "x": 1}}
    assert violations(broken) == [
        "state: unknown value 'dancing'",
        "pagination.last_query_hash: missing",
        "pagination.offset: below 0",
        "pagination.limit: above 5",
        "pagination.x: not allowed",
    ]


def test_a_state_that_breaks_the_schema_cannot_be_saved():
    with pytest.raises(InvalidDialogueStateError, match="clarification_attempts: below 0"):
        DialogueState(clarification_attempts=-1).to_json()


def test_a_record_survives_its_json():
    stored = json.loads(json.dumps(VALID))
    assert DialogueState.from_json(stored).to_json() == VALID


def test_created_at_may_be_absent_as_the_schema_allows():
    without = {**VALID, "pending_confirmation": {"action": None, "target_id": None}}
    assert DialogueState.from_json(without) == DialogueState()


def test_the_side_columns_survive_their_json():
    side = SideColumns("shoes", ("s1", "s2"), 2, 1, "low_confidence", NOON)
    assert SideColumns.from_json(json.loads(json.dumps(side.to_json()))) == side
    assert SideColumns.from_json(SideColumns().to_json()) == SideColumns()
