"""No page takes an order that came from another site's page."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.authentication import SessionAuthentication

from tests.conversations.api.role_table import OPEN, table
from tests.conversations.api.test_role_matrix import filled

API = "api/v1/"
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


def walked(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walked(pattern.url_patterns, path)
        else:
            yield path, pattern.callback


# Nothing to forge: they know no unsafe method at all, and figures ask for a key besides.
READ_ONLY = {"healthz", "readyz", "metrics"}


def asks_itself(view: Any) -> bool:
    """REST framework's session login looks for the token on its own account, after Django was told not to."""
    return SessionAuthentication in getattr(getattr(view, "cls", None), "authentication_classes", ())


def test_only_the_api_is_exempt() -> None:
    """Its keys travel in a header that no form of another site can set; webhooks carry their signature."""
    views = dict(walked(get_resolver().url_patterns))
    exempt = {path for path, view in views.items() if getattr(view, "csrf_exempt", False) and not asks_itself(view)}
    assert {path for path in exempt if not path.startswith(API)} <= READ_ONLY


@pytest.mark.django_db
def test_a_login_in_the_browser_opens_nothing_in_the_api() -> None:
    """Which is why it needs no token: the session that another site's page could borrow counts for nothing."""
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("root"))
    unknown = "00000000-0000-4000-8000-000000000000"
    for method, path in table():
        answer = browser.generic(method, f"/{API}{filled(path, unknown).removeprefix('/')}", "{}", "application/json")
        assert answer.status_code == 401, (method, path)
    signed = {path for method, path in OPEN if method in UNSAFE}
    assert all(path.startswith("webhooks/") for path in signed)


@pytest.mark.django_db
def test_every_other_address_refuses_an_unsafe_method_without_the_token() -> None:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(get_user_model().objects.create_superuser("root"))
    addresses = {address_of(path) for path, _ in walked(get_resolver().url_patterns) if not path.startswith(API)}
    assert len(addresses) > 60
    for address in sorted(addresses):
        for method in UNSAFE:
            refused = {401, 405} if address.strip("/") in READ_ONLY else {403}
            assert browser.generic(method, address).status_code in refused, (method, address)


def address_of(route: str) -> str:
    """An address of this route; what stands in its places does not matter before the token is looked at."""
    parts = route.replace("^", "").replace("$", "").replace("\\Z", "").split("/")
    filled_in = [
        "1" if "<int" in part else NOBODY if "<uuid" in part else "x" if "<" in part else part for part in parts
    ]
    return "/" + "/".join(filled_in)


NOBODY = "00000000-0000-4000-8000-000000000000"
