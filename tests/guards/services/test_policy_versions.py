"""The policy over the API: what was read may be sent back, unless somebody was quicker."""

import json
from typing import Any

import pytest
from django.http import HttpResponse

from guards.models import PolicyVersion
from tests.cast import JSON, Actor, accepted, refused

pytestmark = pytest.mark.django_db


def put(editor: Actor, body: Any) -> HttpResponse:
    return editor.call("PUT", "/guards/policy", data=json.dumps(body), content_type=JSON)


def test_what_was_read_may_be_sent_back_whole(editor: Actor) -> None:
    read = accepted(editor.get("/guards/policy"))
    read["threads"]["max_turns"] = 5
    changed = accepted(put(editor, read))
    assert (changed["version"], changed["threads"]["max_turns"]) == (1, 5)


def test_a_version_that_is_no_longer_the_newest_changes_nothing(editor: Actor) -> None:
    accepted(put(editor, {"threads": {"max_turns": 5}}))
    problem = refused(put(editor, {"version": 0, "threads": {"max_turns": 6}}), 409, "policy_changed")
    assert problem["version"] == 1
    assert PolicyVersion.objects.count() == 1


@pytest.mark.parametrize("version", ["1", True, 1.5, None])
def test_a_version_is_a_whole_number(editor: Actor, version: Any) -> None:
    problem = refused(put(editor, {"version": version, "threads": {}}), 422, "invalid")
    assert problem["errors"][0]["field"] == "version"


def test_without_a_version_the_change_lies_over_whatever_is_in_force(editor: Actor) -> None:
    accepted(put(editor, {"threads": {"max_turns": 5}}))
    both = accepted(put(editor, {"threads": {"grace_seconds": 1.5}}))
    assert (both["version"], both["threads"]["max_turns"], both["threads"]["grace_seconds"]) == (2, 5, 1.5)
