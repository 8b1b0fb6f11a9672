"""Conversations of every kind, to be counted."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from audit.metrics.contributions import contributions
from audit.metrics.keys import Key
from audit.models import Contribution, DayFigure
from audit.selectors.talks import talks_of
from audit.services.rollups import roll_up
from audit.services.sequencer import sequence
from conversations.models import Relationship
from flows.services.drafts import create_flow
from flows.services.publishing import publish
from tests.cast import Actor, Clock, Opens

FLOW = "fitness_booking"
WORDS = ("", "I want to bench 300, now 225", "not now", "ann@example.org", "tomorrow", "an intro session", "human")


def published_flow() -> str:
    file = Path(settings.BASE_DIR) / "flows" / "examples" / f"{FLOW}.json"
    create_flow(slug=FLOW, name="Fitness", definition=json.loads(file.read_text(encoding="utf-8")), author="ed")
    publish(slug=FLOW, author="ed", note="")
    return FLOW


class World:
    """Things that may happen, each drawn from one seeded source; a refusal is one of them."""

    def __init__(self, seed: int, *, router: Actor, operator: Actor, opened: Opens, clock: Clock) -> None:
        self.draw = random.Random(seed)
        self.router, self.operator, self.opened, self.clock = router, operator, opened, clock
        self.paths: list[str] = []
        self.numbers, self.flow = 0, FLOW

    def happen(self, times: int) -> None:
        acts: list[Callable[[], None]] = [
            self.open_relay, self.open_flow, self.open_workflow, self.open_assistant, self.exchange, self.exchange,
            self.turn, self.turn, self.turn, self.step, self.thread, self.hand_over, self.close, self.rate,
        ]  # fmt: skip
        for _ in range(times):
            self.clock.advance(seconds=self.draw.choice([1, 7, 40, 400, 30_000]))
            self.draw.choice(acts)()

    def number(self) -> str:
        self.numbers += 1
        return f"n{self.numbers}"

    def any(self) -> str:
        return self.draw.choice(self.paths) if self.paths else self.opens()

    def opens(self, **terms: str) -> str:
        self.paths.append(self.opened(**terms))
        return self.paths[-1]

    def open_relay(self) -> None:
        self.opens()

    def open_flow(self) -> None:
        self.router.post(f"{self.opens(driver='flow', flow=self.flow)}/turns", {"message_id": self.number()})

    def open_workflow(self) -> None:
        self.opens(driver="workflow")

    def open_assistant(self) -> None:
        self.opens(driver="assistant")

    def exchange(self) -> None:
        path = self.any()
        self.router.post(f"{path}/intents", {"sender": "bank", "intent": "offer"})
        self.clock.advance(seconds=self.draw.choice([1, 90]))
        said = self.draw.choice(["accepted", "rejected", "question"])
        self.router.post(f"{path}/responses", {"sender": "customer", "response": said})

    def turn(self) -> None:
        self.router.post(f"{self.any()}/turns", {"message_id": self.number(), "text": self.draw.choice(WORDS)})

    def step(self) -> None:
        body = {"step_id": self.number(), "operation": self.draw.choice(["list", "read"]), "response": "done"}
        self.router.post(f"{self.any()}/steps", body)

    def thread(self) -> None:
        body = {"event_id": self.number(), "sender": "joe", "text": "hey", "bot_id": self.draw.choice([None, "B1"])}
        self.router.post(f"/threads/{self.draw.choice('ab')}/events", body)

    def hand_over(self) -> None:
        asked = self.operator.post(f"{self.any()}/takeover", {"reason": "let me"})
        if asked.status_code == 201:
            path = f"/handoffs/{asked.json()['id']}"
            self.clock.advance(seconds=30)
            self.operator.post(f"{path}/reply", {"text": "hello"})
            if self.draw.random() < 0.5:
                self.operator.post(f"{path}/resolve", {"closure_type": "completed"})

    def close(self) -> None:
        self.router.post(f"{self.any()}/close", {"closure_type": self.draw.choice(["completed", "user_terminated"])})

    def rate(self) -> None:
        self.router.post(f"{self.any()}/rating", {"score": self.draw.randint(1, 5)})


Counted = dict[Key, tuple[int, int, int]]


def stored() -> Counted:
    """The figures as they are kept."""
    rows = DayFigure.objects.values_list(*Key._fields, "conversations", "count", "total")
    return {Key(*row[:6]): tuple(row[6:]) for row in rows}


def counted_directly() -> Counted:
    """The same by the pure functions alone, over every conversation there is."""
    sums: dict[Key, Counter[str]] = {}
    for talk in talks_of(list(Relationship.objects.values_list("pk", flat=True))).values():
        for key, amount in contributions(talk).items():
            sums.setdefault(key, Counter()).update(conversations=1, count=amount.times, total=amount.total)
    return {key: (each["conversations"], each["count"], each["total"]) for key, each in sums.items()}


def caught_up(clock: Clock) -> Counted:
    """Everything numbered and rolled up."""
    sequence(wait=True)
    roll_up(now=clock.now)
    return stored()


def parts_of_figures() -> Counted:
    """What the contributions say the figures must be."""
    sums: dict[Key, list[int]] = {}
    names = [f"figure__{name}" for name in Key._fields]
    for *key, count, total in Contribution.objects.values_list(*names, "count", "total"):
        each = sums.setdefault(Key(*key), [0, 0, 0])
        each[0], each[1], each[2] = each[0] + 1, each[1] + count, each[2] + total
    return {key: tuple(each) for key, each in sums.items()}
