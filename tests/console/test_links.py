"""Nobody is led to a page that turns them away."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.urls import resolve, reverse

from conversations.access import EVERYBODY, ConsoleRole, roles_of
from conversations.services.handoff import request_handoff
from tests.cast import Actor
from tests.console.conftest import Talks, sign_in
from tests.seats import plain_screens

LINK = re.compile(r'<a\b[^>]*?\bhref="(/admin/console/[^"#?]*)')


@pytest.mark.parametrize("role", sorted(EVERYBODY))
def test_every_link_a_role_is_shown_leads_to_a_page_it_may_open(role: ConsoleRole, talk: Talks, router: Actor) -> None:
    relationship = talk("hello")
    handoff = request_handoff(relationship_id=relationship.pk, reason="please", caller=router.record)
    client = sign_in("somebody", role)
    roles = roles_of(get_user_model().objects.get(username="somebody"))
    subjects = [
        reverse("console:conversation", args=[relationship.pk]),
        reverse("console:chat", args=[handoff.pk]),
    ]
    shut: dict[str, str] = {}
    for path in [*plain_screens().values(), *subjects]:
        answer = client.get(path)
        if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
            continue
        for link in set(LINK.findall(answer.content.decode())):
            view = resolve(link).func.view_class
            if not roles & view.roles.get("GET", frozenset()):
                shut.setdefault(link, path)
    assert shut == {}
