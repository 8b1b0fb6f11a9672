"""Simulated visitors: they talk through the public API, as anybody would, in every driver."""

import random
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx

PAUSE_SECONDS = (1.5, 4.0)
AT_ONCE = 6
SHOP_TALK = ("hello", "show me a red dress", "more", "do you have sneakers", "thanks")
THANKS = ("Thank you!", "That helps, thanks.", "All right, and how long does it take?")
PATIENCE = 25
GYM_TALK = ("", "I want to run 10 km, now 3 km", "endurance", "well...", "jo@example.com", "next friday, a group class")
BANK_TALK = ("financial_advice", "send_documents", "review_complete", "offer_mortgage", "finalize_contract")
THREAD_TALK = ("Anybody tried the new release?", "It is fast.", "The migration took a while.", "Worth it.", "Agreed.")
ANSWERS = ("accepted", "acknowledged", "documents_uploaded", "rejected")

Talk = Iterator[None]


class Visitor:
    """One conversation after another; each `yield` is a breath between two lines."""

    def __init__(self, http: httpx.Client, chance: random.Random) -> None:
        self.http, self.chance = http, chance
        self.name = f"visitor-{chance.randrange(1000):03d}"

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = self.http.post(path, json=body).json()
        return answer

    def opened(self, **terms: Any) -> str:
        return str(self.post("/relationships", {"responder": self.name, **terms})["id"])

    def talks(self) -> tuple[Callable[[], Talk], ...]:
        """One of each driver."""
        return (self.bank, self.gym, self.shop, self.agent, self.chatter)

    def bank(self) -> Talk:
        """Intents and answers, ended by a signature or by the depth."""
        path = f"/relationships/{self.opened(initiator='ing_bank', humotica='Mortgage talk')}"
        for intent in BANK_TALK[: self.chance.randrange(2, 6)]:
            self.post(f"{path}/intents", {"sender": "ing_bank", "intent": intent})
            yield
            self.post(f"{path}/responses", {"sender": self.name, "response": self.chance.choice(ANSWERS)})
            yield
        self.post(f"{path}/close", {"closure_type": "completed"})
        self.post(f"{path}/rating", {"score": self.chance.randrange(2, 6)})

    def gym(self) -> Talk:
        """A flow, by a visitor who is sometimes difficult."""
        path = f"/relationships/{self.opened(initiator='gym_bot', driver='flow', flow='fitness_booking')}"
        for line in GYM_TALK:
            text = "rather not" if self.chance.random() < 0.15 else line
            answer = self.post(f"{path}/turns", {"message_id": uuid.uuid4().hex, "text": text})
            yield
            if answer.get("handoff_id"):
                yield from self.with_a_person(path)
                return

    def shop(self) -> Talk:
        """The assistant, asked for dresses and sometimes for a person."""
        path = f"/relationships/{self.opened(initiator='shop_bot', driver='assistant')}"
        for line in SHOP_TALK:
            wants_person = self.chance.random() < 0.05
            text = "can I talk to a human" if wants_person else line
            answer = self.post(f"{path}/turns", {"message_id": uuid.uuid4().hex, "text": text})
            yield
            if answer.get("handoff_id"):
                yield from self.with_a_person(path)
                return
        self.post(f"{path}/close", {"closure_type": "user_terminated"})

    def with_a_person(self, path: str) -> Talk:
        """Waits for somebody, answers what they say, and leaves when nobody comes: the queue stays a queue."""
        answered = 0
        for _ in range(PATIENCE):
            yield
            events = self.http.get(f"{path}/events").json().get("results", [])
            said = sum(event["type"] == "operator_replied" for event in events)
            if said > answered:
                answered = said
                self.post(f"{path}/turns", {"message_id": uuid.uuid4().hex, "text": self.chance.choice(THANKS)})
        if not answered:
            self.post(f"{path}/close", {"closure_type": "user_terminated"})

    def chatter(self) -> Talk:
        """People in a thread, with personas who answer when the guards let them."""
        key = f"demo-{uuid.uuid4().hex[:12]}"
        for number, line in enumerate(THREAD_TALK[: self.chance.randrange(2, 6)]):
            event = {"event_id": uuid.uuid4().hex, "sender": f"{self.name}-{number % 2}", "text": line}
            self.post(f"/threads/{key}/events", event)
            yield

    def agent(self) -> Talk:
        """A tool-using agent that sometimes repeats itself."""
        path = f"/relationships/{self.opened(initiator='research_agent', driver='workflow')}"
        stuck = self.chance.random() < 0.3
        for number in range(self.chance.randrange(3, 8)):
            query = "cheap flights" if stuck else f"cheap flights to city {number}"
            step = {"operation": "search", "parameters": {"q": query}, "response": f"results for {query}"}
            self.post(f"{path}/steps", {"step_id": uuid.uuid4().hex, "original_request": "find a flight", **step})
            yield
        self.post(f"{path}/close", {"closure_type": "completed"})


def keep_talking(base_url: str, key: str, *, stop: Callable[[], bool] = lambda: False) -> None:
    """A few visitors at once, until told to stop; a server that is away for a moment is waited for."""
    chance = random.Random()  # noqa: S311 small talk, no secret
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=f"{base_url}/api/v1", headers=headers, timeout=10) as http:
        talks: list[Talk] = []
        while not stop():
            time.sleep(chance.uniform(*PAUSE_SECONDS) / AT_ONCE)
            if len(talks) < AT_ONCE:
                visitor = Visitor(http, random.Random(chance.random()))  # noqa: S311 as above
                talks.append(chance.choice(visitor.talks())())
            talk = chance.choice(talks)
            try:
                next(talk)
            except (StopIteration, KeyError):
                talks.remove(talk)
            except httpx.HTTPError:
                talks.remove(talk)
                time.sleep(2)
