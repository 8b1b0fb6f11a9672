"""Many at once, on real connections: no limit that looks across threads is ever broken."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from django.db import connection

from conversations.models import Event, GuardActivity, PersonaThread, ScheduledReply
from conversations.selectors.events import as_recorded
from conversations.services.conductor import carry_on, post_due_replies
from conversations.services.threads import ThreadEvent, handle_thread_event
from guards.selectors.policy import policy_in_force
from guards.services.policy import change_policy
from tests.conversations.threads.world import make_personas

pytestmark = pytest.mark.django_db(transaction=True)
THREADS, HANDLES = 50, ("ada", "ben", "cleo", "dan", "eve")


def at_once(work: Callable[[Any], Any], items: Iterable[Any], *, workers: int = 8) -> list[Any]:
    """The work on each item, each worker with a database connection of its own."""

    def alone(item: Any) -> Any:
        try:
            return work(item)
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(alone, items))


def say(key: str, event_id: str = "e", sender: str = "visitor") -> dict[str, Any]:
    return handle_thread_event(ThreadEvent(key, event_id, sender, "hello"), actor="key:1").answer


def posts() -> dict[str, list[datetime]]:
    """When each persona posted, in any thread."""
    said: dict[str, list[datetime]] = defaultdict(list)
    for event in Event.objects.filter(type="persona_replied").select_related("payload").order_by("at"):
        said[as_recorded(event).content["persona"]].append(event.at)
    return said


def test_fifty_threads_and_five_personas_at_once_break_no_limit() -> None:
    make_personas(*HANDLES)
    change_policy(partial={"threads": {"min_delay_seconds": 0, "max_delay_seconds": 0}}, author="test")
    answers = at_once(say, [f"t{number}" for number in range(THREADS)])
    codes = Counter(answer["code"] for answer in answers)
    assert codes == {None: 5, "too_many_active_threads": THREADS - 5}
    assert PersonaThread.objects.exclude(last_active_at=None).count() == 5
    at_once(lambda _: post_due_replies(), range(4), workers=4)
    spoken = posts()
    assert sum(map(len, spoken.values())) >= 1
    assert all(len(moments) == 1 for moments in spoken.values()), "a persona rests 25 seconds"
    assert not ScheduledReply.objects.filter(state__in=["scheduled", "thinking"]).exists()


def test_a_persona_asked_for_in_thirty_threads_at_once_posts_in_one() -> None:
    make_personas("ada")
    limits = {"max_active_threads": 30, "min_delay_seconds": 0, "max_delay_seconds": 0}
    change_policy(partial={"threads": limits}, author="test")
    at_once(say, [f"t{number}" for number in range(30)])
    at_once(carry_on, ScheduledReply.objects.values_list("pk", flat=True))
    assert len(posts()["ada"]) == 1
    dropped = Event.objects.filter(type="persona_dropped").select_related("payload")
    assert [as_recorded(event).content["code"] for event in dropped] == ["persona_cooldown"] * 29


def test_one_thread_opened_by_many_at_once_is_one_conversation() -> None:
    make_personas(*HANDLES)
    answers = at_once(lambda number: say("t", f"e{number}", f"visitor{number}"), range(12))
    assert sorted(answer["turns"] for answer in answers) == list(range(1, 13))
    assert PersonaThread.objects.count() == 1
    assert sum(answer["action"] == "reply" for answer in answers) == 1, "the others came within the grace period"


def test_one_event_delivered_many_times_at_once_has_one_effect() -> None:
    make_personas(*HANDLES)
    answers = at_once(lambda _: say("t", "the same"), range(12))
    assert all(answer == answers[0] for answer in answers)
    assert Event.objects.filter(type="thread_message").count() == 1
    assert ScheduledReply.objects.count() == 1


def test_two_conductors_post_each_reply_once() -> None:
    make_personas(*HANDLES)
    limits = {"persona_cooldown_seconds": 0, "max_active_threads": 100, "min_delay_seconds": 0, "max_delay_seconds": 0}
    change_policy(partial={"threads": limits}, author="test")
    at_once(say, [f"t{number}" for number in range(20)])
    at_once(lambda _: post_due_replies(), range(6), workers=6)
    posted = [as_recorded(event).content["reply_id"] for event in Event.objects.filter(type="persona_replied")]
    assert len(posted) == len(set(posted)) == 20


def test_the_counts_of_the_guards_screen_are_the_events() -> None:
    make_personas(*HANDLES)
    at_once(say, [f"t{number}" for number in range(15)])
    counted = Counter({row.event: 0 for row in GuardActivity.objects.all()})
    for row in GuardActivity.objects.all():
        counted[row.event] += row.count
    assert counted == {"persona_scheduled": 5, "persona_skipped": 10}
    assert policy_in_force().version == 0
