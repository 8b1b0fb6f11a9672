"""Conversations told once through the services themselves; `bench.bulk` copies them by the thousand.

`PLACEHOLDER` stands in what people say; every copy puts other words there, so that a search has something to find.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth import get_user_model
from django.utils import timezone

from audit.demo.past import FITNESS, MORTGAGE, Teller
from conversations.access import Person, person_of
from conversations.domain.closure import ClosureType
from conversations.domain.errors import ConversationError
from conversations.domain.relationship import Driver
from conversations.models import ApiKey, Relationship
from conversations.services import handoff
from conversations.services.api_keys import create_api_key
from conversations.services.closing import close_conversation
from conversations.services.ratings import rate_conversation
from conversations.services.reengagement import create_followup
from conversations.services.relationships import Terms
from conversations.services.steps import take_step
from flows.services.examples import load_examples

PLACEHOLDER = "PLACEHOLDER-WORDS"
VARIATIONS = 6
OPERATORS = ("bulk-anna", "bulk-ben", "bulk-chen")


@dataclass(frozen=True, slots=True)
class Story:
    """A family of conversations: one, or a conversation and its follow-up. `is_open` ones happen right now."""

    relationships: tuple[UUID, ...]
    begin: datetime
    end: datetime
    is_open: bool


class Stage:
    """One telling: its own customer, its own clock, the same people behind the desk."""

    def __init__(self, number: int, key: ApiKey, operators: list[Person]) -> None:
        self.chance = random.Random(number)
        self.customer = f"bulk-customer-{number:03d}"
        self.teller = Teller(timezone.now() - timedelta(days=2), key)
        self.key, self.begin = key, self.teller.now
        self.operator = self.chance.choice(operators)
        self.told: list[UUID] = []

    def open(self, **terms: object) -> Relationship:
        relationship = self.teller.open(Terms(responder=self.customer, **terms))  # type: ignore[arg-type]
        self.told.append(relationship.pk)
        return relationship

    def bank(self, *, exchanges: int) -> Relationship:
        relationship = self.open(initiator="ing_bank", humotica=f"Mortgage talk, reference {PLACEHOLDER}")
        for intent, response, words in MORTGAGE[:exchanges]:
            self.teller.exchange(relationship, intent, response, f"{words} ({PLACEHOLDER})")
        return relationship

    def close(self, relationship: Relationship, closure_type: ClosureType) -> None:
        with self.teller.moment():
            close_conversation(relationship_id=relationship.pk, closure_type=closure_type, caller=self.key)

    def rate(self, relationship: Relationship) -> None:
        with self.teller.moment():
            rate_conversation(
                relationship_id=relationship.pk, score=self.chance.randrange(1, 6), comment=PLACEHOLDER, caller=self.key
            )

    def say(self, relationship: Relationship, *lines: str) -> None:
        for number, line in enumerate(lines):
            try:
                self.teller.turn(relationship.pk, number, line)
            except ConversationError:
                return

    def step(self, relationship: Relationship, number: int, query: str) -> None:
        with self.teller.moment():
            take_step(
                relationship_id=relationship.pk,
                step_id=f"step-{number}",
                operation="search",
                parameters={"q": query},
                response=f"results for {query}: {PLACEHOLDER}",
                original_request="find a flight",
                caller=self.key,
            )


def mortgage(stage: Stage) -> None:
    relationship = stage.bank(exchanges=stage.chance.randrange(2, 6))
    stage.close(relationship, ClosureType.COMPLETED)
    stage.rate(relationship)


def lineage(stage: Stage) -> None:
    first = stage.bank(exchanges=3)
    stage.close(first, ClosureType.INCOMPLETE)
    with stage.teller.moment(60):
        followup = create_followup(relationship_id=first.pk, appointment=None, caller=stage.key)
    stage.told.append(followup.pk)
    for intent, response, words in MORTGAGE[3:]:
        stage.teller.exchange(followup, intent, response, words)
    stage.close(followup, ClosureType.COMPLETED)


def booking(stage: Stage) -> None:
    relationship = stage.open(initiator="gym_bot", driver=Driver.FLOW, flow="fitness_booking")
    hesitation = ["hm"] * stage.chance.randrange(3)
    stage.say(relationship, *FITNESS[:2], *hesitation, *FITNESS[2:])


def mute_visitor(stage: Stage) -> None:
    relationship = stage.open(initiator="gym_bot", driver=Driver.FLOW, flow="fitness_booking")
    stage.say(relationship, "", "no", f"rather not, {PLACEHOLDER}", "hm", "no", "no", "no")
    handled(stage, relationship)


def handled(stage: Stage, relationship: Relationship) -> None:
    """A person takes it, answers, and ends it."""
    with stage.teller.moment(stage.chance.randrange(1, 9)):
        taken = handoff.take_over(relationship_id=relationship.pk, reason="stuck", operator=stage.operator.operator)
    with stage.teller.moment():
        handoff.note(handoff_id=taken.pk, text=f"knows about {PLACEHOLDER}", operator=stage.operator.operator)
    with stage.teller.moment():
        handoff.reply(handoff_id=taken.pk, text=f"I looked into {PLACEHOLDER}", operator=stage.operator.operator)
    with stage.teller.moment(stage.chance.randrange(2, 30)):
        handoff.resolve(
            handoff_id=taken.pk,
            closure_type=ClosureType.COMPLETED,
            summary="helped",
            operator=stage.operator.operator,
        )


def shopping(stage: Stage) -> None:
    relationship = stage.open(initiator="shop_bot", driver=Driver.ASSISTANT)
    stage.say(relationship, "hello", "show me a red dress", f"something like {PLACEHOLDER}", "more", "thanks")
    stage.close(relationship, ClosureType.USER_TERMINATED)


def agent(stage: Stage) -> None:
    relationship = stage.open(initiator="research_agent", driver=Driver.WORKFLOW)
    stuck = stage.chance.random() < 0.5
    for number in range(stage.chance.randrange(4, 9)):
        stage.step(relationship, number, "cheap flights" if stuck else f"cheap flights to city {number}")
    stage.close(relationship, ClosureType.COMPLETED)


def open_bank(stage: Stage) -> None:
    stage.bank(exchanges=stage.chance.randrange(1, 5))


def open_flow(stage: Stage) -> None:
    relationship = stage.open(initiator="gym_bot", driver=Driver.FLOW, flow="fitness_booking")
    stage.say(relationship, *FITNESS[: stage.chance.randrange(2, 4)])


def open_queue(stage: Stage) -> None:
    relationship = stage.bank(exchanges=1)
    with stage.teller.moment():
        handoff.request_handoff(relationship_id=relationship.pk, reason=PLACEHOLDER, caller=stage.key)


CLOSED: tuple[Callable[[Stage], None], ...] = (mortgage, lineage, booking, mute_visitor, shopping, agent)
OPEN: tuple[Callable[[Stage], None], ...] = (open_bank, open_bank, open_flow, open_queue)


def told_stories() -> list[Story]:
    """Every story in a few variations; these rows stay, as the first of the many."""
    load_examples()
    key, _ = create_api_key(name="bulk", role="router")
    users = get_user_model().objects
    operators = [person_of(users.get_or_create(username=name, defaults={"is_staff": True})[0]) for name in OPERATORS]
    stories = []
    for number in range(VARIATIONS * (len(CLOSED) + len(OPEN))):
        tell = (*CLOSED, *OPEN)[number % (len(CLOSED) + len(OPEN))]
        stage = Stage(number, key, operators)
        tell(stage)
        stories.append(Story(tuple(stage.told), stage.begin, stage.teller.now, tell in OPEN))
    return stories
