"""`manage.py load_flows`."""

from io import StringIO

import pytest
from django.core.management import call_command

from flows.models import Flow, FlowVersion
from flows.services.drafts import create_flow

EXAMPLES = {"bank_onboarding_nl", "fitness_booking", "support_triage"}


def loaded() -> str:
    out = StringIO()
    call_command("load_flows", stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_examples_are_published_once() -> None:
    assert set(loaded().split("\n")) == {*(f"{slug} v1" for slug in EXAMPLES), ""}
    assert loaded() == ""
    assert FlowVersion.objects.count() == len(EXAMPLES)


@pytest.mark.django_db
def test_a_flow_of_somebody_else_is_left_alone() -> None:
    create_flow(slug="support_triage", name="Mine", definition={}, author="me")
    loaded()
    mine = Flow.objects.get(slug="support_triage")
    assert (mine.name, mine.draft, mine.versions.count()) == ("Mine", {}, 0)
