"""What the guards refused, and features given to a share of conversations."""

import pytest
from django.test import Client
from django.urls import reverse

from conversations.access import ConsoleRole
from conversations.models import PersonaThread
from conversations.services.conductor import post_due_replies
from conversations.services.personas import create_persona
from conversations.services.threads import ThreadEvent, handle_thread_event
from guards.models import Rollout
from guards.selectors.rollout import Feature, rollouts
from tests.cast import Clock
from tests.console.conftest import sign_in

ACTIVITY, ROLLOUT = reverse("console:guards_activity"), reverse("console:guards_rollout")


@pytest.fixture
def ed(db: None) -> Client:
    return sign_in("ed", ConsoleRole.EDITOR)


@pytest.fixture
def traffic(db: None, clock: Clock) -> None:
    """One message answered, one that comes too soon, one of a bot."""
    create_persona(handle="ada", name="Ada")

    def said(event_id: str, **told: str) -> None:
        handle_thread_event(ThreadEvent(key="room", event_id=event_id, sender="visitor", **told), actor="tests")

    said("e1")
    clock.advance(seconds=1)
    said("e2")
    said("e3", bot_id="B1")
    clock.advance(seconds=20)
    post_due_replies()


def test_the_screen_says_which_guard_refused_how_often_and_where(viewer: Client, traffic: None) -> None:
    answer = viewer.get(ACTIVITY)
    counts = {name: count for name, _title, count in answer.context["guards"]}
    assert (counts["grace_period"], counts["bot_message_filter"], counts["turn_limit"]) == (1, 1, 0)
    assert answer.context["activity"].personas == [{"handle": "ada", "chosen": 1, "spoke": 1, "stopped": 0}]
    page = answer.content.decode()
    assert "Thread too recent (grace period)" in page
    assert reverse("console:conversation", args=[PersonaThread.objects.get().pk]) in page
    viewer.cookies["django_language"] = "nl"
    page = viewer.get(ACTIVITY).content.decode()
    assert 'De draad is te vers (rusttijd) <span class="lw-faint">(grace_period)</span>' in page
    assert "Thread too recent" not in page


def test_refusals_can_be_narrowed_to_one_guard_and_an_unknown_one_is_no_filter(viewer: Client, traffic: None) -> None:
    only = viewer.get(ACTIVITY, {"guard": "grace_period", "days": "30"}).context["refusals"]
    assert [refusal.code for refusal in only] == ["grace_period"]
    assert len(viewer.get(ACTIVITY, {"guard": "nonsense", "days": "-4"}).context["refusals"]) == 2


def test_an_empty_screen_says_what_will_appear(viewer: Client) -> None:
    assert "Nothing was refused in this time" in viewer.get(ACTIVITY).content.decode()


def test_a_feature_is_given_to_a_share_and_taken_back(ed: Client) -> None:
    told = {"feature": Feature.LOOP_HAND_OFF, "share": "25", "note": "carefully"}
    assert ed.post(ROLLOUT, told).status_code == 302
    assert rollouts()[Feature.LOOP_HAND_OFF].share == 25
    page = ed.get(ROLLOUT).content.decode()
    assert "25 % of conversations" in page
    assert "carefully" in page
    ed.post(ROLLOUT, {"feature": Feature.LOOP_HAND_OFF, "share": "0"})
    assert rollouts()[Feature.LOOP_HAND_OFF].share == 0
    assert [line.author for line in Rollout.objects.all()] == ["ed", "ed"]


def test_a_candidate_keeps_only_the_numbers_that_differ(ed: Client) -> None:
    switches = {f"workflow.{name}": "on" for name in ("truncation_detection_enabled", "auto_retry_on_truncation")}
    numbers = {"max_steps": "10", "max_retries": "3", "loop_detection_threshold": "0.9", "max_response_length": "2000"}
    shares = {"completion_threshold": "0.8", "quality_threshold": "0.7"}
    told = {f"workflow.{name}": value for name, value in {**numbers, **shares}.items()}
    chosen = {**switches, **told, "workflow.progress_tracking_enabled": "on"}
    ed.post(ROLLOUT, {**chosen, "feature": Feature.WORKFLOW_CANDIDATE, "share": "10"})
    assert rollouts()[Feature.WORKFLOW_CANDIDATE].settings == {"loop_detection_threshold": 0.9}
    refused = ed.post(
        ROLLOUT, {**chosen, "workflow.max_steps": "none", "feature": Feature.WORKFLOW_CANDIDATE, "share": "10"}
    )
    assert refused.status_code == 422
    assert 'id="workflow.max_steps-error"' in refused.content.decode()
    assert Rollout.objects.count() == 1


@pytest.mark.parametrize("told", [{"share": "101"}, {"share": "-1"}, {"share": "x"}, {"feature": "nothing"}, {}])
def test_a_senseless_rollout_changes_nothing(ed: Client, told: dict[str, str]) -> None:
    assert ed.post(ROLLOUT, {"feature": Feature.LOOP_CLOSE, **told}).status_code == 422
    assert not Rollout.objects.exists()


def test_a_viewer_rolls_nothing_out(viewer: Client) -> None:
    assert viewer.get(ROLLOUT).status_code == 200
    assert viewer.post(ROLLOUT, {"feature": Feature.LOOP_CLOSE, "share": "5"}).status_code == 403
    assert not Rollout.objects.exists()
