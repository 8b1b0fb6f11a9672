"""Two weeks of conversations that already happened, told through the services themselves at past moments."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest import mock
from uuid import UUID

from django.contrib.auth import get_user_model
from django.utils import timezone

from audit.demo.broken_copy import write_copies
from audit.demo.stage import COLLEAGUE
from audit.models import LabelSample
from audit.services.labels import draw_samples, label_conversation
from conversations.access import person_of
from conversations.domain.closure import ClosureType
from conversations.domain.errors import ConversationError
from conversations.domain.messages import Inbound, Kind
from conversations.domain.relationship import Driver
from conversations.models import ApiKey, Handoff, Relationship
from conversations.selectors.handoffs import open_handoff
from conversations.services.closing import close_conversation
from conversations.services.handoff import claim, reply, request_handoff, resolve
from conversations.services.ingest import ingest
from conversations.services.ratings import rate_conversation
from conversations.services.reengagement import create_followup
from conversations.services.relationships import Terms, create_relationship
from conversations.services.sweeping import sweep_expired
from conversations.services.turns import take_turn

DAYS = 14
A_DAY = 3
QUIET_ONES_LEFT = 3
LEFT_OPEN = 2
SOMEBODY_COMES = 0.7
MORTGAGE = (
    ("financial_advice", "accepted", "Adviser called about a mortgage"),
    ("send_documents", "documents_uploaded", "Documents asked for"),
    ("review_complete", "acknowledged", "Review done"),
    ("offer_mortgage", "accepted", "Offer presented"),
    ("finalize_contract", "signed", "Contract signed"),
)
FITNESS = (
    "",
    "I want to bench press 300 lbs, currently at 225 lbs",
    "strength",
    "jo@example.com",
    "next tuesday, an intake",
)


class Teller:
    """Tells a conversation on its own clock: every step happens a little later than the one before."""

    def __init__(self, begin: datetime, key: ApiKey) -> None:
        self.now, self.key = begin, key

    @contextmanager
    def moment(self, minutes: int = 2) -> Iterator[None]:
        self.now += timedelta(minutes=minutes)
        with mock.patch.object(timezone, "now", lambda: self.now):
            yield

    def open(self, terms: Terms) -> Relationship:
        with self.moment():
            return create_relationship(terms=terms, actor=self.key.actor)

    def exchange(self, relationship: Relationship, intent: str, response: str, humotica: str) -> None:
        said = (
            (Kind.INTENT, relationship.initiator.handle, {"intent": intent, "humotica": humotica}),
            (Kind.RESPONSE, relationship.responder.handle, {"response": response}),
        )
        for kind, sender, content in said:
            with self.moment():
                ingest(Inbound(kind, relationship.pk, sender, content), caller=self.key)

    def turn(self, relationship_id: UUID, number: int, text: str) -> None:
        with self.moment():
            take_turn(
                relationship_id=relationship_id,
                message_id=f"past-{number}",
                content={"text": text},
                caller=self.key,
            )


def tell_the_past(key: ApiKey) -> int:
    """Writes the past once; a database that has conversations keeps its own."""
    if Relationship.objects.exists():
        return 0
    chance = random.Random(20251127)  # noqa: S311 the same past on every machine
    start = timezone.now() - timedelta(days=DAYS)
    stories = (mortgage, runaway_bank, booking, mute_visitor, instalments)
    told = 0
    for day in range(DAYS):
        for number in range(A_DAY):
            begin = start + timedelta(days=day, hours=8 + 3 * number, minutes=chance.randrange(60))
            teller = Teller(begin, key)
            with teller.moment():
                sweep_expired()
            chance.choice(stories)(teller, f"customer-{day}{number}", chance)
            told += 1
    read_some_quiet_ones()
    judge_the_alarms()
    write_copies(Relationship.objects.filter(closure_type=ClosureType.MAX_DEPTH).latest("closed_at"))
    leave_two_waiting(key)
    return told + 2


def mortgage(teller: Teller, customer: str, chance: random.Random) -> None:
    """A good one: up to five exchanges, a signature, a rating; sometimes a follow-up."""
    relationship = teller.open(Terms(initiator="ing_bank", responder=customer, humotica="Mortgage talk"))
    for intent, response, humotica in MORTGAGE[: chance.randrange(3, 6)]:
        teller.exchange(relationship, intent, response, humotica)
    with teller.moment():
        close_conversation(relationship_id=relationship.pk, closure_type=ClosureType.COMPLETED, caller=teller.key)
    with teller.moment():
        rate_conversation(relationship_id=relationship.pk, score=chance.randrange(3, 6), comment="", caller=teller.key)
    if chance.random() < 0.3:
        with teller.moment(60 * 24):
            create_followup(relationship_id=relationship.pk, appointment=None, caller=teller.key)


def runaway_bank(teller: Teller, customer: str, chance: random.Random) -> None:
    """A real loop: the bank repeats itself until the depth ends it."""
    relationship = teller.open(Terms(initiator="pushy_bank", responder=customer, humotica="Sales call"))
    for _ in range(6):
        try:
            teller.exchange(relationship, "offer_mortgage", "not_now", "Offer repeated")
        except ConversationError:
            return


def instalments(teller: Teller, customer: str, chance: random.Random) -> None:
    """A false alarm: four instalments of one loan look like one sentence said four times."""
    relationship = teller.open(Terms(initiator="loan_desk", responder=customer, humotica="Loan in four parts"))
    for _ in range(4):
        teller.exchange(relationship, "collect_instalment", "paid", "Instalment due")
    with teller.moment():
        close_conversation(relationship_id=relationship.pk, closure_type=ClosureType.COMPLETED, caller=teller.key)


def read_some_quiet_ones() -> None:
    """A sample of what raised no alarm, read by one person: without it nobody could say what was missed."""
    draw_samples(now=timezone.now())
    for sample in LabelSample.objects.filter(finding=None).order_by("pk")[QUIET_ONES_LEFT:]:
        label_conversation(
            relationship_id=sample.relationship_id,
            is_loop=False,
            finding_id=None,
            note="",
            reviewer="anna",
            now=timezone.now(),
        )


def judge_the_alarms() -> None:
    """What two people said of the alarms: some agreed with, the instalments called false, the newest left open."""
    alarmed = Relationship.objects.exclude(loop_findings=None).distinct().order_by("-created_at")
    for number, relationship in enumerate(alarmed.select_related("initiator")[LEFT_OPEN:]):
        real = relationship.initiator.handle != "loan_desk"
        for reviewer in ("demo", "anna")[: 1 + number % 2]:
            label_conversation(
                relationship_id=relationship.pk,
                is_loop=real,
                finding_id=relationship.loop_findings.latest("seq").pk,
                note="" if real else "Four instalments, each its own",
                reviewer=reviewer,
                now=timezone.now(),
            )


def booking(teller: Teller, customer: str, chance: random.Random) -> None:
    """A flow that reaches its goal."""
    terms = Terms(initiator="gym_bot", responder=customer, driver=Driver.FLOW, flow="fitness_booking")
    follow(teller, teller.open(terms), FITNESS)


def mute_visitor(teller: Teller, customer: str, chance: random.Random) -> None:
    """A flow whose visitor gives nothing away: it asks for a person, who mostly comes before it expires."""
    handoff = open_handoff(give_nothing_away(teller, customer))
    if handoff is not None and chance.random() < SOMEBODY_COMES:
        answer_in_person(teller, handoff, chance)


def give_nothing_away(teller: Teller, customer: str) -> Relationship:
    terms = Terms(initiator="gym_bot", responder=customer, driver=Driver.FLOW, flow="fitness_booking")
    relationship = teller.open(terms)
    follow(teller, relationship, ("", "no", "rather not", "hm", "no", "no"))
    return relationship


def answer_in_person(teller: Teller, handoff: Handoff, chance: random.Random) -> None:
    """A colleague takes it after some minutes, says a word, and ends it."""
    anna = person_of(get_user_model().objects.get(username=COLLEAGUE)).operator
    with teller.moment(chance.randrange(1, 9)):
        claim(handoff_id=handoff.pk, version=handoff.version, operator=anna)
    with teller.moment(1):
        reply(handoff_id=handoff.pk, text="Shall we simply call you about your goals?", operator=anna)
    with teller.moment(chance.randrange(2, 12)):
        resolve(
            handoff_id=handoff.pk, closure_type=ClosureType.COMPLETED, summary="Will be called back.", operator=anna
        )


def follow(teller: Teller, relationship: Relationship, lines: tuple[str, ...]) -> None:
    for number, line in enumerate(lines):
        try:
            teller.turn(relationship.pk, number, line)
        except ConversationError:
            return


def leave_two_waiting(key: ApiKey) -> None:
    """Handoffs that wait for whoever opens the console: a flow got nowhere, and somebody asked for a person."""
    give_nothing_away(Teller(timezone.now() - timedelta(minutes=25), key), "mr-jansen")
    teller = Teller(timezone.now() - timedelta(minutes=12), key)
    relationship = teller.open(
        Terms(initiator="ing_bank", responder="mrs-de-vries", humotica="Question on her mortgage")
    )
    teller.exchange(relationship, "offer_mortgage", "question", "She asks what happens if she moves")
    with teller.moment():
        request_handoff(relationship_id=relationship.pk, reason="The customer asks for a person", caller=key)
