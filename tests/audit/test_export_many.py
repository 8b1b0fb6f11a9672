"""Bundles of a lineage and of a period: whole chains, bounded, checked by the same verifier."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from verify_bundle import problems

from audit.services import export_many
from audit.services.export_many import export_lineage, export_period
from conversations.domain.errors import InvalidTermsError
from conversations.services.reengagement import create_followup
from tests.audit.vectors import unzipped
from tests.cast import actor_for
from tests.ledger.cast import conversation

pytestmark = pytest.mark.django_db


def manifest_of(data: bytes) -> dict[str, object]:
    told: dict[str, object] = json.loads(unzipped(data)["manifest.json"])
    return told


def test_a_lineage_is_whole_from_whichever_member_and_in_order() -> None:
    first = conversation(close=True)
    second = create_followup(relationship_id=first.pk, appointment=None, caller=actor_for("router").record)
    conversation()
    for member in (first, second):
        data = export_lineage(member, now=timezone.now())
        assert problems(data) == []
        assert manifest_of(data)["relationships"] == [str(first.pk), str(second.pk)]


def test_a_period_holds_every_conversation_it_touched_with_its_whole_chain() -> None:
    talks = {str(conversation().pk), str(conversation(close=True).pk)}
    now = timezone.now()
    data = export_period(since=now - timedelta(days=1), until=now + timedelta(days=1), now=now)
    assert problems(data) == []
    told = manifest_of(data)
    assert (set(told["relationships"]), told["events"]) == (talks, 11)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("since", "until", "code"),
    [(1, 0, "backwards"), (0, 0, "backwards"), (-40, 0, "too_long"), (-400, -380, "nothing")],
)
def test_a_senseless_period_is_refused(since: int, until: int, code: str) -> None:
    conversation()
    now = timezone.now()
    with pytest.raises(InvalidTermsError) as refusal:
        export_period(since=now + timedelta(days=since), until=now + timedelta(days=until), now=now)
    assert refusal.value.figures["errors"][0]["code"] == code


@pytest.mark.parametrize("bound", ["MAX_CONVERSATIONS", "MAX_EVENTS"])
def test_a_period_too_full_for_one_bundle_is_refused(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(export_many, bound, 1)
    conversation()
    conversation()
    now = timezone.now()
    with pytest.raises(InvalidTermsError, match="more than 1"):
        export_period(since=now - timedelta(days=1), until=now + timedelta(days=1), now=now)
