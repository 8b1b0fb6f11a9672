"""Who is told of events: made, tested, watched and told again from the console."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import OutboxMessage, WebhookSubscription
from conversations.services import relay
from conversations.services.sealing import unsealed
from conversations.services.subscriptions import create_subscription
from tests.console.conftest import Talks
from tests.conversations.channels.remote_server import Remote, Scripted

LIST = reverse("console:settings_subscriptions")
SECRET = "known to both of us"


def at(name: str, *subject: Any) -> str:
    return reverse(f"console:settings_{name}", args=subject)


@pytest.fixture
def subscription(db: None, chatwoot: Remote, private_addresses_allowed: None) -> WebhookSubscription:
    return create_subscription(url=f"{chatwoot.url}/hook", events=["conversation_*"], secret=SECRET)


def test_a_subscription_is_made_and_changed_and_its_secret_stays_unseen(
    boss: Client, chatwoot: Remote, private_addresses_allowed: None
) -> None:
    told = {"url": f"{chatwoot.url}/hook", "events": "handoff_*\n\nconversation_closure", "secret": SECRET}
    boss.post(LIST, told)
    made = WebhookSubscription.objects.get()
    assert made.events == ["handoff_*", "conversation_closure"]
    page = boss.get(at("subscription", made.pk)).content.decode()
    assert "handoff_*" in page
    assert SECRET not in page
    boss.post(at("subscription", made.pk), {**told, "events": "", "secret": ""})
    made.refresh_from_db()
    assert (made.events, unsealed(made.secret_sealed)) == (["*"], SECRET)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"url": ""}, "url"),
        ({"url": "http://127.1/hook"}, "url"),
        ({"secret": "short"}, "secret"),
        ({"events": "no such type!"}, "events"),
    ],
)
def test_a_senseless_subscription_is_refused_at_its_field(boss: Client, changed: dict[str, str], field: str) -> None:
    answer = boss.post(LIST, {"url": "https://example.org/hook", "events": "", "secret": SECRET, **changed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not WebhookSubscription.objects.exists()


def test_every_try_is_shown_and_a_notice_can_be_sent_again(
    boss: Client, subscription: WebhookSubscription, chatwoot: Remote, talk: Talks, anna: Client
) -> None:
    relationship = talk("hello")
    chatwoot.script = [Scripted(status=410)]
    anna.post(reverse("console:conversation_close", args=[relationship.pk]), {"closure_type": "completed"})
    relay.relay()
    page = at("subscription", subscription.pk)
    assert "http_410" in boss.get(page).content.decode()
    notice = OutboxMessage.objects.get(destination=f"subscription:{subscription.pk}")
    assert notice.abandoned_at is not None
    boss.post(at("notice_replay", subscription.pk, notice.pk))
    relay.relay()
    notice.refresh_from_db()
    assert notice.delivered_at is not None
    assert [call.path for call in chatwoot.calls] == ["/hook", "/hook"]
    assert boss.get(page).content.decode().count(" ms</li>") == 2


def test_the_test_button_sends_a_ping_and_says_what_came_back(
    boss: Client, subscription: WebhookSubscription, chatwoot: Remote
) -> None:
    chatwoot.script = [Scripted(), Scripted(status=500)]
    button = at("subscription_test", subscription.pk)
    assert "Answered with status 200." in boss.post(button, follow=True).content.decode()
    assert "Answered with status 500." in boss.post(button, follow=True).content.decode()
    assert [call.json["type"] for call in chatwoot.calls] == ["ping", "ping"]


def test_only_an_administrator_changes_one(
    anna: Client, viewer: Client, boss: Client, subscription: WebhookSubscription
) -> None:
    one = at("subscription", subscription.pk)
    assert viewer.get(LIST).status_code == viewer.get(one).status_code == 403
    assert anna.get(LIST).status_code == anna.get(one).status_code == 200
    switch = at("subscription_switch", subscription.pk)
    for address in (
        LIST,
        one,
        switch,
        at("subscription_test", subscription.pk),
        at("notice_replay", subscription.pk, 1),
    ):
        assert anna.post(address, {"enabled": "0"}).status_code == 403
    subscription.refresh_from_db()
    assert subscription.enabled
    boss.post(switch, {"enabled": "0"})
    subscription.refresh_from_db()
    assert not subscription.enabled
    assert boss.post(at("notice_replay", subscription.pk, 99)).status_code == 404
