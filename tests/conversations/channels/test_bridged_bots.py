"""A bot of ours in Chatwoot and personas of ours in Slack, each hearing the other as its visitor: they stop."""

from itertools import count

import pytest

from conversations.domain.threads import OPEN
from conversations.models import Channel, Delivery, Event, PersonaThread, ScheduledReply
from conversations.selectors.events import as_recorded
from conversations.services import conductor, deliveries, relay
from conversations.services.channels import ChannelTerms, create_channel
from conversations.services.personas import create_persona
from tests.cast import Clock
from tests.conversations.channels import chatwoot_world as shop
from tests.conversations.channels.remote_server import Remote
from tests.conversations.channels.slack_team import ENOUGH, Team
from tests.invariants import assert_history_holds

pytestmark = pytest.mark.django_db


class Bridge:
    """Carries what one side says over to the other, as a person's words."""

    def __init__(self, team: Team, channel: Channel, chatwoot: Remote) -> None:
        self.team, self.channel, self.chatwoot = team, channel, chatwoot
        self.ids, self.from_slack, self.from_chatwoot = count(1), 0, 0
        self.root = team.says("Hello")

    def carries(self) -> bool:
        """Whether anybody said anything new."""
        posts, words = self.team.said[self.from_slack :], self.chatwoot.messages()[self.from_chatwoot :]
        for _token, post in posts:
            status = "open" if self.chatwoot.statuses() else "pending"
            told = shop.message(next(self.ids), post["text"], conversation=shop.conversation(42, status=status))
            assert shop.deliver(self.channel.webhook_path, told).status_code == 200
        for said in words:
            self.team.says(said["content"], user="U-bridge", thread_ts=self.root)
        self.from_slack += len(posts)
        self.from_chatwoot += len(words)
        return bool(posts or words)

    def talks(self, *, seconds: float) -> None:
        for _ in range(ENOUGH):
            self.team.tell()
            self.team.clock.advance(seconds=seconds)
            conductor.post_due_replies()
            deliveries.work_due()
            relay.relay()
            waiting = ScheduledReply.objects.filter(state__in=OPEN).exists()
            if not self.carries() and not self.team.untold and not waiting:
                return
        pytest.fail("they never stopped")


@pytest.mark.parametrize("driver", ["flow", "assistant"])
@pytest.mark.parametrize("seconds", [9, 30])
def test_each_side_stops_within_its_limits_and_says_why(
    slack: Remote,
    chatwoot: Remote,
    flow: str,
    private_addresses_allowed: None,
    clock: Clock,
    driver: str,
    seconds: float,
) -> None:
    for handle in ("ada", "bob", "cyd"):
        create_persona(handle=handle)
    team = Team(clock, slack)
    team.install("one", [])
    terms = ChannelTerms(
        kind="chatwoot",
        name="Shop",
        secret=shop.SECRET,
        base_url=chatwoot.url,
        account_id=1,
        token="t",
        flow=flow if driver == "flow" else None,
    )
    Bridge(team, create_channel(terms=terms), chatwoot).talks(seconds=seconds)
    assert PersonaThread.objects.get().turns <= 9 + len(chatwoot.messages()), "unanswered words are turns too"
    assert Event.objects.filter(type="persona_replied").count() <= 8
    guards = {
        as_recorded(event).content["code"]
        for event in Event.objects.filter(type__in=["persona_skipped", "persona_dropped"]).select_related("payload")
    }
    assert guards & {"max_turns", "persona_cooldown", "self_reply", "no_eligible_persona", "last_persona"}
    silent = Delivery.objects.exclude(verdict__in=["replied", "reply_scheduled"])
    assert silent.exists()
    assert not silent.filter(reason="").exists(), "every silence has its reason"
    assert_history_holds()
