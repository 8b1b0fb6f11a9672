"""Why a person was asked for and what had happened, in the language of the page; the API tells it in English."""

from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.domain.handoff import REQUESTED
from conversations.models import Event, Handoff
from conversations.services.erasure import erase_payloads
from guards.selectors.rollout import Feature
from guards.services.rollout import roll_out
from tests.cast import Actor, Opens, accepted
from tests.flows.api.support import SLUG, Visitor, contact_flow, published

CAP = {"maxExecutions": 1}


def dutch(browser: Client, address: str) -> str:
    browser.cookies["django_language"] = "nl"
    return browser.get(address).content.decode()


def asked_for_a_person(editor: Actor, router: Actor, opened: Opens, document: Any) -> Handoff:
    published(editor, document)
    visitor = Visitor(router, opened(driver="flow", flow=SLUG))
    visitor.say()
    while not Handoff.objects.exists():
        visitor.say("nonsense", facts={})
    return Handoff.objects.select_related("relationship").get()


def shown(viewer: Client, handoff: Handoff) -> list[str]:
    pages = ["/admin/console/inbox", f"/admin/console/conversations/{handoff.relationship_id}"]
    return [dutch(viewer, page) for page in pages]


def test_a_flow_that_gives_up_says_so_in_dutch(editor: Actor, router: Actor, opened: Opens, viewer: Client) -> None:
    handoff = asked_for_a_person(editor, router, opened, contact_flow())
    assert handoff.reason == "HANDOFF mail-1: 2 attempts did not meet the objective"
    for page in shown(viewer, handoff):
        assert "mail-1: de pogingen zijn op" in page
        assert "Laatst gevraagd: It looks like name@host. Gezegd: nonsense · nonsense" in page
        assert not [words for words in ("Last asked", " events. ") if words in page]


def test_a_flow_that_is_stuck_names_what_each_node_waits_for_in_dutch(
    editor: Actor, router: Actor, opened: Opens, viewer: Client
) -> None:
    document = contact_flow()
    document["nodes"][1]["runPolicy"] = CAP
    handoff = asked_for_a_person(editor, router, opened, document)
    assert handoff.reason.startswith("DEADLOCK: no node can run. ")
    for page in shown(viewer, handoff):
        assert "Geen knoop kan lopen." in page
        assert "mail-1: is zo vaak uitgevoerd als mag" in page


def test_giving_back_where_nobody_would_answer_is_refused_in_dutch(
    editor: Actor, router: Actor, opened: Opens, anna: Client
) -> None:
    handoff = asked_for_a_person(editor, router, opened, contact_flow())
    anna.cookies["django_language"] = "nl"
    anna.post(reverse("console:inbox_claim", args=[handoff.pk]), {"version": handoff.version})
    page = anna.post(reverse("console:inbox_return", args=[handoff.pk]), {}, follow=True).content.decode()
    assert "Hierna zou niemand antwoorden. mail-1: " in page


def test_a_loop_is_named_in_dutch(router: Actor, opened: Opens, viewer: Client) -> None:
    roll_out(feature=Feature.LOOP_HAND_OFF, share=100, author="tests")
    run = opened(driver="workflow")
    for n in range(4):
        accepted(router.post(f"{run}/steps", {"step_id": str(n), "operation": "list", "response": "same"}))
    handoff = Handoff.objects.get()
    assert handoff.reason.startswith("Loop: ")
    for page in shown(viewer, handoff):
        assert "Lus: weer dezelfde aanroep" in page


def test_a_request_recorded_without_figures_is_shown_as_it_was_written(
    router: Actor, opened: Opens, viewer: Client
) -> None:
    path = opened()
    accepted(router.post(f"{path}/handoff", {"reason": "Please call me"}), 201)
    Handoff.objects.update(figures={}, summary="2 events. Said: offer")
    page = dutch(viewer, "/admin/console/inbox")
    assert "Please call me" in page
    assert "2 events. Said: offer" in page


def test_an_erased_request_leaves_no_words_in_its_figures(router: Actor, opened: Opens) -> None:
    path = opened(driver="assistant")
    wish = {"message_id": "m1", "text": "a human please", "meaning": "human"}
    accepted(router.post(f"{path}/turns", wish))
    assert Handoff.objects.get().figures["summary"]["said"] == ["a human please"]
    request = Event.objects.get(type=REQUESTED)
    told = {"basis": "art. 17", "by": "user:1", "now": timezone.now()}
    erase_payloads(relationship_id=request.relationship_id, seqs=[request.seq], **told)
    handoff = Handoff.objects.get()
    assert (handoff.reason, handoff.summary, handoff.figures) == ("", "", {})
