"""The queue and the chat."""

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import CannedReply, Handoff, Relationship
from conversations.services import channel_typing, handoff
from conversations.services.handoff import release_idle, request_handoff
from conversations.services.writing_marks import mark_writing
from tests.cast import Actor, Clock
from tests.console.conftest import Talks, events_of, sign_in

INBOX = "/admin/console/inbox"


@pytest.fixture
def waiting(talk: Talks, router: Actor) -> Handoff:
    relationship = talk("hello")
    return request_handoff(relationship_id=relationship.pk, reason="wants a person", caller=router.record)


def act(browser: Client, handoff: Handoff, name: str, *, accept: str = "text/html", **told: Any) -> Any:
    address = reverse(f"console:inbox_{name}", args=[handoff.pk])
    return browser.post(address, told, follow=True, headers={"Accept": accept})


def claimed(browser: Client, handoff: Handoff) -> Handoff:
    act(browser, handoff, "claim", version=handoff.version)
    handoff.refresh_from_db()
    return handoff


def test_waiting_times_become_long_and_too_long_by_the_policy(clock: Clock, viewer: Client, waiting: Handoff) -> None:
    for advance, patience in ((1, "fine"), (1, "warn"), (3, "breach")):
        clock.advance(minutes=advance)
        [entry] = viewer.get(INBOX).context["queue"].waiting
        assert (entry.patience, entry.position) == (patience, 1)


def test_the_second_to_claim_learns_who_was_first(anna: Client, bert: Client, waiting: Handoff) -> None:
    seen = waiting.version
    act(anna, waiting, "claim", version=seen)
    late = act(bert, waiting, "claim", version=seen)
    assert "anna has it." in late.content.decode()
    waiting.refresh_from_db()
    assert waiting.operator == "anna"
    script = act(bert, waiting, "claim", accept="application/json", version=seen)
    assert (script.status_code, script.json()["code"]) == (409, "already_claimed")


def test_a_reply_and_a_note_are_events_and_only_the_holder_replies(
    anna: Client, bert: Client, waiting: Handoff
) -> None:
    claimed(anna, waiting)
    assert act(anna, waiting, "reply", accept="application/json", text="Hello!").json()["ok"]
    assert act(anna, waiting, "note", accept="application/json", text="careful").json()["ok"]
    assert act(bert, waiting, "reply", accept="application/json", text="Me too").json()["code"] == "not_holder"
    assert events_of(waiting.relationship)[-2:] == ["operator_replied", "operator_noted"]


@pytest.mark.parametrize("text", ["", "   ", "x" * 10_001])
def test_an_empty_or_endless_reply_is_refused(anna: Client, waiting: Handoff, text: str) -> None:
    claimed(anna, waiting)
    before = events_of(waiting.relationship)
    assert not act(anna, waiting, "reply", accept="application/json", text=text).json()["ok"]
    assert events_of(waiting.relationship) == before


def test_a_transfer_is_offered_and_accepted(anna: Client, bert: Client, waiting: Handoff) -> None:
    claimed(anna, waiting)
    act(anna, waiting, "transfer", to="bert")
    assert [entry.handoff for entry in bert.get(INBOX).context["queue"].offered] == [waiting]
    act(bert, waiting, "accept")
    waiting.refresh_from_db()
    assert waiting.operator == "bert"


def test_a_declined_transfer_stays_with_its_holder(anna: Client, bert: Client, waiting: Handoff) -> None:
    claimed(anna, waiting)
    act(anna, waiting, "transfer", to="bert")
    act(bert, waiting, "decline")
    waiting.refresh_from_db()
    assert (waiting.operator, waiting.transfer_to) == ("anna", None)


def test_release_puts_it_back(anna: Client, waiting: Handoff) -> None:
    act(anna, claimed(anna, waiting), "release")
    waiting.refresh_from_db()
    assert (waiting.status, waiting.operator) == ("waiting", None)


def test_return_tells_the_bot_what_to_skip_and_how_often_to_try(anna: Client, booking: Relationship) -> None:
    anna.post(reverse("console:conversation_takeover", args=[booking.pk]))
    handoff = Handoff.objects.get()
    told = {
        "note": "has a card",
        "facts": "contact_email = jo@example.com",
        "skip": "category-1",
        "grant:booking-1": "2",
    }
    assert "The bot has it again" in act(anna, handoff, "return", **told).content.decode()
    booking.refresh_from_db()
    assert booking.owner_kind == "bot"
    returned = next(event for event in reversed(events_of(booking)) if event == "handoff_returned")
    assert returned
    assert booking.flow_run.state["skipped"] == ["category-1"]
    assert "contact_email" in booking.flow_run.state["facts"]


def test_a_return_after_which_nobody_would_answer_is_refused(anna: Client, booking: Relationship) -> None:
    anna.post(reverse("console:conversation_takeover", args=[booking.pk]))
    handoff, before = Handoff.objects.get(), events_of(booking)
    nodes = [node.id for node in anna.get(f"{INBOX}/{handoff.pk}").context["flow"].nodes]
    shown = act(anna, handoff, "return", skip=nodes).content.decode()
    assert "Nobody would answer after this. No node can run." in shown
    booking.refresh_from_db()
    assert (booking.owner_operator, events_of(booking)) == ("anna", before)


def test_resolving_closes_the_conversation(anna: Client, waiting: Handoff) -> None:
    act(anna, claimed(anna, waiting), "resolve", closure_type="completed", summary="All good")
    assert events_of(waiting.relationship)[-2:] == ["handoff_resolved", "conversation_closure"]


def test_a_chat_has_the_canned_replies_and_the_colleagues(anna: Client, bert: Client, waiting: Handoff) -> None:
    CannedReply.objects.create(shortcut="hello", text="Good day </script>")
    context = anna.get(f"{INBOX}/{claimed(anna, waiting).pk}").context
    assert context["canned"] == [{"shortcut": "hello", "text": "Good day </script>"}]
    assert context["colleagues"] == ["bert"]


def test_a_reply_is_never_sent_to_another_site_after(anna: Client, waiting: Handoff) -> None:
    address = reverse("console:inbox_claim", args=[waiting.pk])
    answer = anna.post(address, {"version": waiting.version, "next": "https://evil.example/"})
    assert answer["Location"] == f"{INBOX}/{waiting.pk}"


def test_home_shows_who_waits_and_what_is_at_risk(clock: Clock, viewer: Client, waiting: Handoff, talk: Talks) -> None:
    talk("a", "b", max_depth=3)
    talk(timebox_hours=1.05)
    clock.advance(minutes=2)
    home = viewer.get("/admin/console/").context
    assert [entry.handoff for entry in home["queue"].first] == [waiting]
    assert (counted(home, "waiting"), counted(home, "at_risk"), counted(home, "active")) == (1, 1, 3)
    clock.advance(minutes=2)
    assert counted(viewer.get("/admin/console/now").context, "at_risk") == 2


def test_home_makes_only_the_front_of_a_long_queue_and_counts_the_rest(
    anna: Client, talk: Talks, router: Actor
) -> None:
    asked = [request_handoff(relationship_id=talk("x").pk, reason="person", caller=router.record) for _ in range(11)]
    claimed(anna, asked[0])
    offered, theirs = (claimed(sign_in(name, "operator"), asked[place]) for place, name in ((1, "cleo"), (2, "dirk")))
    Handoff.objects.filter(pk=offered.pk).update(transfer_to="anna")
    queue = anna.get("/admin/console/").context["queue"]
    assert [entry.handoff for entry in queue.first] == asked[3:11]
    assert [entry.position for entry in queue.first] == [*range(1, 9)]
    Handoff.objects.filter(pk=theirs.pk).update(status="waiting", operator=None)
    home = anna.get("/admin/console/")
    assert len(home.context["queue"].first) == 8
    assert (counted(home.context, "waiting"), counted(home.context, "mine")) == (9, 2)
    assert "All 9 who wait" in home.content.decode()


def counted(context: Any, name: str) -> int:
    return next(shown["figure"].number for shown in context["figures"] if shown["figure"].name == name)


def test_a_figure_of_home_says_how_it_was_the_day_before(clock: Clock, talk: Talks) -> None:
    talk("yesterday")
    talk("yesterday too")
    clock.advance(hours=25)
    talk("today")
    page = sign_in("vera", "viewer").get("/admin/console/")
    trend = next(shown["figure"].trend for shown in page.context["figures"] if shown["figure"].name == "active")
    assert (trend.recent, trend.before, trend.direction) == (1, 2, "down")
    assert "1 opened in 24 h, 2 the day before" in page.content.decode()


def test_a_visitor_in_the_queue_is_told_the_number(
    clock: Clock, booking: Relationship, waiting: Handoff, router: Actor, anna: Client
) -> None:
    """Somebody waits already; whoever asks later is number two, and number one once the first is helped."""
    clock.advance(seconds=1)
    request_handoff(relationship_id=booking.pk, reason="please", caller=router.record)

    def told(message_id: str) -> str:
        turn = {"message_id": message_id, "text": "anybody?"}
        return str(router.post(f"/relationships/{booking.pk}/turns", turn).json()["reply"]["text"])

    assert told("w1").endswith("You are number 2 in the queue.")
    claimed(anna, waiting)
    assert told("w2").endswith("You are number 1 in the queue.")


def test_a_broken_handoff_keeps_no_other_from_being_released(
    clock: Clock, anna: Client, talk: Talks, router: Actor, waiting: Handoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = request_handoff(relationship_id=talk("me too").pk, reason="please", caller=router.record)
    claimed(anna, waiting)
    claimed(anna, other)
    clock.advance(minutes=11)
    look, failed = handoff.release_if_idle, []

    def first_breaks(handoff_id: UUID, *, before: datetime) -> bool:
        if not failed:
            failed.append(handoff_id)
            raise ValueError("broken")
        return look(handoff_id, before=before)

    monkeypatch.setattr(handoff, "release_if_idle", first_breaks)
    assert release_idle() == 1


def test_who_lost_a_conversation_by_silence_reads_so_and_nobody_else(
    clock: Clock, anna: Client, bert: Client, waiting: Handoff
) -> None:
    claimed(anna, waiting)
    clock.advance(minutes=11)
    assert release_idle() == 1
    chat = reverse("console:chat", args=[waiting.pk])
    assert "You were silent for too long" in anna.get(chat).content.decode()
    assert "its operator was silent for too long" in anna.get(chat).content.decode()
    assert "You were silent" not in bert.get(chat).content.decode()
    waiting.refresh_from_db()
    act(anna, claimed(anna, waiting), "release")
    assert "You were silent" not in anna.get(chat).content.decode(), "this time it was given up"


def test_who_is_writing_is_not_idle_until_they_stop(
    clock: Clock, anna: Client, waiting: Handoff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_typing, "close_old_connections", lambda: None)  # the test's own
    signs = channel_typing.TypingSigns(submit=lambda give, place: give(place))
    claimed(anna, waiting)
    clock.advance(minutes=9)
    signs.notice(str(waiting.relationship_id), "bert", writing=True)
    signs.notice(str(waiting.relationship_id), "anna", writing=True)
    clock.advance(minutes=9)
    assert release_idle() == 0
    clock.advance(minutes=2)
    assert release_idle() == 1


def test_who_only_watches_while_the_holder_is_silent_keeps_nothing(
    clock: Clock, anna: Client, waiting: Handoff
) -> None:
    claimed(anna, waiting)
    clock.advance(minutes=11)
    mark_writing(waiting.relationship_id, "bert")
    assert release_idle() == 1
