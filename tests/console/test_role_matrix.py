"""Role x address of the console: generated from the addresses there are; one missing from the table fails."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.urls.converters import IntConverter, UUIDConverter

from config.console import patterns
from conversations.access import ConsoleRole
from tests.console.conftest import sign_in
from tests.console.role_table import table
from tests.invariants import snapshot

NOWHERE = {IntConverter: "999999", UUIDConverter: str(uuid.UUID(int=1))}


def routes() -> set[tuple[str, str]]:
    return {(method, str(each.name)) for each in patterns() for method in each.callback.view_class.roles}


def test_every_address_is_in_the_table_and_every_line_is_an_address() -> None:
    assert routes() == table().keys()


def address(name: str) -> str:
    """The address with subjects that nobody has."""
    [pattern] = [each for each in patterns() if each.name == name]
    named = {key: NOWHERE.get(type(kind), "none") for key, kind in pattern.pattern.converters.items()}
    return reverse(f"console:{name}", kwargs=named)


def called(browser: Client, method: str, path: str) -> Any:
    browser.raise_request_exception = False
    return browser.generic(method, path, data="", content_type="application/x-www-form-urlencoded")


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "name"), table())
def test_a_role_gets_exactly_what_the_table_says(method: str, name: str) -> None:
    path = address(name)
    for role in ConsoleRole:
        browser = sign_in(f"a-{role}", role)
        before = snapshot()
        answer = called(browser, method, path)
        assert answer.status_code < 500, (role, answer.status_code)
        if role not in table()[method, name]:
            assert answer.status_code == 403, role
            assert snapshot() == before
        elif name != "two_factor_code":  # whose own refusal of a wrong code is a 403
            assert answer.status_code != 403, role
    for nobody in (Client(), sign_in("noone")):
        answer = called(nobody, method, path)
        assert answer.status_code == 403 or "/admin/login/" in answer["Location"]
