"""Writers and storytellers that go on until told to stop, and everything they were promised."""

import asyncio
import json
import random
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.faultline.caller import Caller, Seen
from bench.faultline.stage import Stage
from bench.faultline.stories import Storyteller
from bench.sayings import INTENTS

JOIN_SECONDS = 600
# Without pauses the writers alone fill both cores, and a fault's end waits for minutes of backlog.
PAUSE_SECONDS = 1.5


@dataclass(slots=True)
class Load:
    """So many writers on so many conversations, and so many storytellers, until told to stop."""

    url: str
    stage: Stage
    seed: int
    writers: int = 6
    storytellers: int = 3
    conversations: int = 50
    max_depth: int = 10_000
    messages: int | None = None  # each writer's share; None: until told to stop
    ids: list[str] = field(default_factory=list)
    receipts: list[dict[str, Any]] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    tellers: list[Storyteller] = field(default_factory=list)
    problem: BaseException | None = None
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.stage.router}"}

    def open_conversations(self) -> None:
        terms = {"initiator": "bank", "responder": "customer", "max_depth": self.max_depth}
        with httpx.Client(headers=self.headers, timeout=60) as http:
            for _ in range(self.conversations):
                told = http.post(f"{self.url}/api/v1/relationships", json=terms).json()
                self.ids.append(told["id"])
                self.receipts.append({"relationship": told["id"], **told["head"]})

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the load; what was begun is still brought to its answer."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        assert self._thread is not None
        self._thread.join(JOIN_SECONDS)
        assert not self._thread.is_alive(), "somebody never got their answer"
        if self.problem is not None:
            raise self.problem

    def write_receipts(self, file: Path) -> None:
        file.write_text("".join(json.dumps(receipt) + "\n" for receipt in self.receipts))

    def _work(self) -> None:
        try:
            asyncio.run(self._run())
        except BaseException as problem:
            self.problem = problem

    async def _run(self) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=self.writers + self.storytellers)
        async with httpx.AsyncClient(timeout=20, limits=limits) as http:
            router, *operators = (
                Caller(self.url, key, http, self.seen) for key in (self.stage.router, *self.stage.operators)
            )
            first, second = operators
            chances = [random.Random(f"{self.seed} story {number}") for number in range(self.storytellers)]
            self.tellers = [Storyteller(router, (first, second), chance) for chance in chances]
            await asyncio.gather(
                *(self._write(router, number) for number in range(self.writers)),
                *(self._tell(teller) for teller in self.tellers),
            )

    async def _tell(self, teller: Storyteller) -> None:
        while not self._stop.is_set():
            await teller.tell()
            await asyncio.sleep(teller.chance.uniform(0, PAUSE_SECONDS))

    async def _write(self, router: Caller, number: int) -> None:
        chance = random.Random(f"{self.seed} {number}")
        left = self.messages
        while not self._stop.is_set() and left != 0:
            await self._say(router, chance.choice(self.ids), json.loads(chance.choice(INTENTS)))
            if left is None:
                await asyncio.sleep(chance.uniform(0, PAUSE_SECONDS))
            else:
                left -= 1

    async def _say(self, router: Caller, conversation: str, body: dict[str, Any]) -> None:
        answer = await router.post(f"/relationships/{conversation}/intents", body, kind="intent")
        with suppress(KeyError):  # a refusal acknowledges no event
            event = answer.json()["event"]
            self.receipts.append({"relationship": conversation, "seq": event["seq"], "hash": event["hash"]})
