"""A change reaches a share of conversations, always the same ones, and is taken back at once."""

import json
import uuid

import pytest

from guards.errors import InvalidPolicyError
from guards.models import Rollout
from guards.selectors.rollout import Feature, policy_for, reaches
from guards.services.rollout import roll_back, roll_out
from tests.cast import Actor, accepted, refused

CONVERSATIONS = [uuid.UUID(int=number) for number in range(2000)]


def test_a_share_is_kept_and_only_grows() -> None:
    at = {
        share: {key for key in CONVERSATIONS if reaches(Feature.WORKFLOW_CANDIDATE, share, key)}
        for share in (0, 10, 50, 100)
    }
    assert at[0] == set()
    assert 140 <= len(at[10]) <= 260
    assert at[10] < at[50] < at[100]
    assert at[100] == set(CONVERSATIONS)


def test_two_features_reach_different_conversations() -> None:
    hand_off = {key for key in CONVERSATIONS if reaches(Feature.LOOP_HAND_OFF, 50, key)}
    close = {key for key in CONVERSATIONS if reaches(Feature.LOOP_CLOSE, 50, key)}
    assert hand_off != close


@pytest.mark.django_db
def test_a_candidate_applies_to_its_share_and_names_itself() -> None:
    settings = {"loop_detection_threshold": 0.7}
    line = roll_out(feature=Feature.WORKFLOW_CANDIDATE, share=30, author="e", settings=settings)
    policies = [policy_for(key) for key in CONVERSATIONS[:300]]
    chosen = [policy for policy in policies if policy.document.workflow.loop_detection_threshold == 0.7]
    assert 60 <= len(chosen) <= 120
    assert {policy.version for policy in chosen} == {f"0+r{line.number}"}
    assert {policy.version for policy in policies if policy not in chosen} == {"0"}


@pytest.mark.django_db
def test_a_rollback_applies_at_once_and_the_history_stays() -> None:
    roll_out(feature=Feature.WORKFLOW_CANDIDATE, share=100, author="e", settings={"max_steps": 3})
    assert policy_for(CONVERSATIONS[0]).document.workflow.max_steps == 3
    roll_back(feature=Feature.WORKFLOW_CANDIDATE, author="e")
    assert policy_for(CONVERSATIONS[0]).document.workflow.max_steps == 10
    assert Rollout.objects.count() == 2


@pytest.mark.django_db
def test_a_candidate_that_makes_no_policy_is_refused() -> None:
    with pytest.raises(InvalidPolicyError):
        roll_out(feature=Feature.WORKFLOW_CANDIDATE, share=1, author="e", settings={"max_steps": 0})
    assert not Rollout.objects.exists()


def put(actor: Actor, path: str, body: object) -> object:
    return actor.call("PUT", path, data=json.dumps(body), content_type="application/json")


@pytest.mark.django_db
def test_an_editor_rolls_out_over_the_wire(editor: Actor, operator: Actor) -> None:
    refused(put(operator, "/guards/rollouts/loop_hand_off", {"share": 10}), 403, "forbidden")
    refused(put(editor, "/guards/rollouts/loop_hand_off", {"share": 101}), 422, "invalid")
    refused(put(editor, "/guards/rollouts/no_such", {"share": 1}), 404, "not_found")
    assert accepted(put(editor, "/guards/rollouts/loop_hand_off", {"share": 10}))["share"] == 10
    assert [line["feature"] for line in accepted(operator.get("/guards/rollouts"))["results"]] == ["loop_hand_off"]
