"""People at the console, and conversations for them to look at."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from conversations.access import ConsoleRole
from conversations.models import Event, Relationship
from conversations.selectors.relationships import relationships
from flows.services.drafts import create_flow
from flows.services.publishing import publish
from tests.cast import Actor, Opens, accepted

FLOW = "fitness_booking"


def sign_in(name: str, *roles: str) -> Client:
    """A browser somebody of these roles is logged in with."""
    user = get_user_model().objects.create_user(name, is_staff=True)
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture
def anna(db: None) -> Client:
    return sign_in("anna", ConsoleRole.OPERATOR)


@pytest.fixture
def bert(db: None) -> Client:
    return sign_in("bert", ConsoleRole.OPERATOR)


@pytest.fixture
def viewer(db: None) -> Client:
    return sign_in("vera", ConsoleRole.VIEWER)


@pytest.fixture
def booking_flow(db: None) -> str:
    file = Path(settings.BASE_DIR) / "flows" / "examples" / f"{FLOW}.json"
    create_flow(slug=FLOW, name="Fitness", definition=json.loads(file.read_text(encoding="utf-8")), author="ed")
    publish(slug=FLOW, author="ed", note="")
    return FLOW


Talks = Callable[..., Relationship]


@pytest.fixture
def talk(opened: Opens, initiator: Actor, responder: Actor) -> Talks:
    """A conversation of intents and responses, one pair a humotica text."""

    def talks(*texts: str, **terms: Any) -> Relationship:
        path = opened(**terms)
        for text in texts:
            accepted(initiator.post(f"{path}/intents", {"intent": "offer", "humotica": text}), 201)
            accepted(responder.post(f"{path}/responses", {"response": "question", "humotica": text}), 201)
        return relationships().get(pk=path.rpartition("/")[2])

    return talks


@pytest.fixture
def booking(opened: Opens, router: Actor, booking_flow: str) -> Relationship:
    """A flow that has asked its first question."""
    path = opened(driver="flow", flow=booking_flow)
    accepted(router.post(f"{path}/turns", {"message_id": "m0"}))
    accepted(router.post(f"{path}/turns", {"message_id": "m1", "text": "I want to run 10 km, now 3 km"}))
    return relationships().get(pk=path.rpartition("/")[2])


def events_of(relationship: Relationship) -> list[str]:
    return list(Event.objects.filter(relationship=relationship).order_by("seq").values_list("type", flat=True))
