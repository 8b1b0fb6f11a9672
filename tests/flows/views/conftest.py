"""People at the console, by their role."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client

from flows.models import Flow
from flows.services.drafts import create_flow
from tests.flows.api.support import SLUG, contact_flow


class Person:
    """Somebody logged in, who opens the editor's pages and lets them call."""

    def __init__(self, role: str) -> None:
        user = User.objects.create_user(role)
        user.groups.add(Group.objects.get_or_create(name=role)[0])
        self.client = Client(raise_request_exception=False)
        self.client.force_login(user)

    def opens(self, path: str = "") -> HttpResponse:
        return self.client.get(f"/admin/console/flows{path}")

    def asks(self, call: str, body: Any = None, *, method: str = "POST", slug: str = SLUG) -> HttpResponse:
        text = body if isinstance(body, str) else json.dumps({} if body is None else body)
        path = f"/admin/console/flows/{slug}/{call}"
        return self.client.generic(method, path, data=text, content_type="application/json")


@pytest.fixture
def person(db: None) -> Callable[[str], Person]:
    return Person


@pytest.fixture
def author(person: Callable[[str], Person]) -> Person:
    return person("editor")


@pytest.fixture
def stored(db: None) -> Flow:
    return create_flow(slug=SLUG, name="Contact", definition=contact_flow(), author="somebody")
