"""Two of our own bots pointed at each other through Chatwoot stop by themselves; the trail says what stopped them."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from conversations.models import Channel, Delivery, Handoff, OutboxMessage, Relationship
from conversations.services import deliveries, relay
from conversations.services.channels import ChannelTerms, create_channel
from flows.services.drafts import create_flow
from flows.services.publishing import publish
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.remote_server import Call, Remote, serving

pytestmark = pytest.mark.django_db
ENOUGH = 100
POLITE = {
    "name": "Polite",
    "primaryGoal": {"type": "STATE", "state": "THANKED"},
    "gateDefinitions": {"CONTACT": {"satisfiedBy": {"metricsAll": ["contact_email"]}}},
    "facts": {"contact_email": {"type": "email"}},
    "nodes": [
        {
            "id": "ask",
            "title": "Ask",
            "importance": "high",
            "produces": ["contact_email"],
            "satisfies": {"gates": ["CONTACT"]},
            "prompts": ["I am bot@example.org, and your email is?"],
        },
        {
            "id": "thank",
            "title": "Thank",
            "requires": ["CONTACT"],
            "satisfies": {"states": ["THANKED"]},
            "runPolicy": {"maxExecutions": 1},
            "prompts": ["Thank you! Write to bot@example.org any time."],
        },
    ],
}


class Bridge:
    """What one bot says, the other hears from its visitor."""

    def __init__(self, remote: Remote) -> None:
        self.remote, self.ids, self.heard = remote, count(1), 0
        self.channels: dict[int, Channel] = {}
        self.opens = True

    def add(self, account: int, **terms: Any) -> None:
        made = ChannelTerms(
            kind="chatwoot",
            name=f"Bot {account}",
            secret=world.SECRET,
            base_url=self.remote.url,
            account_id=account,
            token="t",
            **terms,
        )
        self.channels[account] = create_channel(terms=made)

    def talk(self, opening: str) -> int:
        """Lets them talk until nobody says anything; gives the number of messages said."""
        self.tell(1, opening)
        said = 0
        while said < ENOUGH:
            deliveries.work_due()
            relay.relay()
            new = self.remote.messages()[said:]
            if not new:
                return said
            for call in [call for call in self.remote.calls if call.path.endswith("/messages")][said:]:
                said += 1
                self.tell(2 if "/accounts/1/" in call.path else 1, call.json["content"])
        pytest.fail("they never stopped")

    def tell(self, account: int, text: str) -> None:
        statuses = [call for call in self.remote.calls if call.path.endswith("toggle_status")]
        opened = self.opens and any(f"/accounts/{account}/" in call.path for call in statuses)
        conversation = world.conversation(42, status="open" if opened else "pending")
        answer = world.deliver(
            self.channels[account].webhook_path, world.message(next(self.ids), text, conversation=conversation)
        )
        assert answer.status_code == 200


@pytest.fixture
def bridge(private_addresses_allowed: None) -> Iterator[Bridge]:
    ids = count(50_000)

    def answer(call: Call) -> Any:
        return {"id": next(ids)}

    with serving(answer) as remote:
        yield Bridge(remote)


def test_two_flows_that_do_not_understand_each_other_end_with_a_person(bridge: Bridge, flow: str) -> None:
    bridge.add(1, flow=flow)
    bridge.add(2, flow=flow)
    assert bridge.talk("Hello") <= 6
    assert Handoff.objects.filter(status="waiting").exists()
    assert Delivery.objects.filter(reason__contains="HANDOFF").exists()


def test_two_assistants_end_with_a_person(bridge: Bridge, db: None) -> None:
    bridge.add(1)
    bridge.add(2)
    assert bridge.talk("blorp?") <= 20
    assert Handoff.objects.filter(status="waiting").exists()
    assert Delivery.objects.exclude(reason="").exists()


@pytest.mark.parametrize("terms", [{}, {"flow": "contact"}], ids=["assistants", "flows"])
def test_two_waiting_for_a_person_do_not_tell_each_other_so_for_ever(
    terms: dict[str, str], bridge: Bridge, flow: str
) -> None:
    """Where the other side keeps the conversation with the bot, the notice is told once a wait."""
    bridge.opens = False
    bridge.add(1, **terms)
    bridge.add(2, **terms)
    assert bridge.talk("blorp?") <= 20
    assert OutboxMessage.objects.filter(last_error="said_already").exists()


def test_a_flow_and_an_assistant_end_with_a_person(bridge: Bridge, flow: str) -> None:
    bridge.add(1, flow=flow)
    bridge.add(2)
    assert bridge.talk("Hello") <= 20
    assert Handoff.objects.filter(status="waiting").exists()


def test_two_bots_that_keep_finishing_and_starting_again_meet_the_followup_limit(bridge: Bridge, db: None) -> None:
    create_flow(slug="polite", name="Polite", definition=POLITE, author="tests")
    publish(slug="polite", author="tests")
    bridge.add(1, flow="polite")
    bridge.add(2, flow="polite")
    assert bridge.talk("visitor@example.org") <= 40
    last = Delivery.objects.order_by("-received_at").first()
    assert last is not None
    assert (last.verdict, last.reason.partition(":")[0]) == ("refused", "followup_limit")
    assert Relationship.objects.count() <= 10
