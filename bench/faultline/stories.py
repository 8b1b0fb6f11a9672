"""Whole conversations for the load: a flow with turns, two operators who want the same one, personas in a thread.

Everything acknowledged or refused is kept as `Said`, to be looked for in the chain afterwards.
"""

import asyncio
import random
import uuid
from dataclasses import dataclass, field
from typing import Any

from bench.faultline.caller import Caller
from bench.faultline.stage import FLOW_SLUG

OK = (200, 201)
BRIEF_HOURS = 0.004


@dataclass(frozen=True, slots=True)
class Said:
    """Something numbered by its caller: once in the chain when acknowledged, nowhere when refused."""

    conversation: str
    type: str
    field: str
    value: str
    acknowledged: bool


@dataclass(slots=True)
class Storyteller:
    """Lets conversations happen, one after another; two operators are at hand."""

    router: Caller
    operators: tuple[Caller, Caller]
    chance: random.Random
    said: list[Said] = field(default_factory=list)
    left_alone: list[str] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)

    async def tell(self) -> None:
        """One conversation from its beginning to wherever it gets."""
        story = self.chance.choice([self.visit, self.visit, self.thread, self.short_visit])
        await story()

    async def visit(self) -> None:
        """A visitor answers a flow; more often than not a person steps in."""
        conversation = await self.opened({"driver": "flow", "flow": FLOW_SLUG})
        await self.turn(conversation, "")
        await self.turn(conversation, "I would rather not say")
        if self.chance.random() < 0.6:
            await self.handed_over(conversation)
        else:
            await self.turn(conversation, "ada@example.org")

    async def short_visit(self) -> None:
        """Nobody ends this one: the sweep has to, and only once."""
        conversation = await self.opened({"timebox_hours": BRIEF_HOURS})
        await self.router.post(f"/relationships/{conversation}/intents", {"sender": "bank", "intent": "greet"})
        self.left_alone.append(conversation)

    async def opened(self, terms: dict[str, Any]) -> str:
        parties = {"initiator": "bank", "responder": f"visitor {self.chance.randrange(1000)}"}
        answer = await self.router.post("/relationships", {**parties, **terms})
        return str(answer.json()["id"])

    async def turn(self, conversation: str, text: str) -> None:
        number = uuid.uuid4().hex
        body = {"message_id": number, "text": text}
        answer = await self.router.post(f"/relationships/{conversation}/turns", body, kind="turn")
        self.keep(conversation, "turn_taken", "message_id", number, answer.status_code)

    async def handed_over(self, conversation: str) -> None:
        """Both operators claim while the visitor goes on talking; the one who gets it answers and gives it back."""
        asked = await self.router.post(f"/relationships/{conversation}/handoff", {"reason": "wants a person"})
        if asked.status_code not in OK:
            return
        path, version = f"/handoffs/{asked.json()['id']}", {"version": asked.json()["version"]}
        claims = [operator.post(f"{path}/claim", version, kind="claim") for operator in self.operators]
        *answers, _ = await asyncio.gather(*claims, self.turn(conversation, "Is anybody there?"))
        holders = [who for who, told in zip(self.operators, answers, strict=True) if told.status_code in OK]
        if len(holders) > 1:
            self.flaws.append(f"I6: both operators hold {conversation}")
        for holder in holders:
            await self.answered(conversation, path, holder)

    async def answered(self, conversation: str, path: str, holder: Caller) -> None:
        for _ in range(2):
            words = f"Good morning {uuid.uuid4().hex}"
            told = await holder.post(f"{path}/reply", {"text": words}, kind="reply")
            self.keep(conversation, "operator_replied", "text", words, told.status_code)
        await holder.post(f"{path}/return", {"note": "", "facts": {"contact_email": "ada@example.org"}})

    async def thread(self) -> None:
        """Somebody writes where personas answer; their agent takes its time."""
        key = f"bench/{uuid.uuid4().hex}"
        for _ in range(3):
            number = uuid.uuid4().hex
            body = {"event_id": number, "sender": "alice", "text": f"About {number[:6]}: what now?"}
            await self.router.post(f"/threads/{key}/events", body, kind="thread")
            await asyncio.sleep(self.chance.uniform(0, 1))

    def keep(self, conversation: str, type_: str, name: str, value: str, status: int) -> None:
        self.said.append(Said(conversation, type_, name, value, status in OK))
