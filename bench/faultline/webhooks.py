"""Every webhook one to five times, in any order, over HTTP, while servers and workers die: one turn a message."""

import asyncio
import hashlib
import hmac
import json
import random
import threading
import time

import httpx

from bench.deliveries import SECRET, payload
from bench.faultline.run import Run
from bench.faultline.stage import FLOW_SLUG

DELIVERIES = 3_000
VISITORS = 150
SENDERS = 16
KILLS = 3
WORKED = """
import json
from collections import Counter
from conversations.models import Delivery, Event, OutboxMessage
from conversations.selectors.events import as_recorded
events = Event.objects.filter(type="turn_taken", relationship__channel="chatwoot").select_related("payload")
sent = OutboxMessage.objects.filter(destination__startswith="channel:")
print(json.dumps({
    "turns": Counter(as_recorded(event).content["message_id"] for event in events.iterator()),
    "statuses": Counter(Delivery.objects.values_list("status", flat=True)),
    "waiting": sent.filter(delivered_at=None, abandoned_at=None).count(),
    "withheld": sent.exclude(abandoned_at=None).count(),
    "sent": sent.exclude(delivered_at=None).count(),
    "errors": Counter(sent.filter(delivered_at=None, abandoned_at=None).values_list("last_error", flat=True)),
}))
"""
# Slow is no failure where seven other jobs share the machine; standing still is.
STANDSTILL_SECONDS = 120


def repeat_webhooks(run: Run) -> str:
    bodies = shuffled(run.times(DELIVERIES), run.chance)
    numbers = {str(json.loads(body)["id"]) for body in bodies}
    path = channel(run)
    sending = threading.Thread(target=lambda: asyncio.run(deliver(run, path, bodies)), daemon=True)
    sending.start()
    kills = 0
    while sending.is_alive() and kills < KILLS:
        run.pause(5, 10)
        for name in (f"server {1 + kills % 2}", "worker"):
            run.world.kill(name)
            run.world.start(name)
        kills += 1
    sending.join()
    told = worked(run, len(numbers))
    assert set(told["turns"]) == numbers, f"I7: {len(told['turns'])} turns of {len(numbers)} messages"
    assert set(told["turns"].values()) == {1}, "I7: a message had two turns"
    assert len(run.receiver.calls) == told["sent"], f"I8: {len(run.receiver.calls)} calls, {told['sent']} sent"
    assert told["statuses"]["worked"] == len(numbers), told["statuses"]
    return (
        f"{len(bodies)} deliveries of {len(numbers)} messages, {kills} kills of a server and of the worker tree; "
        f"one turn each, {told['sent']} calls made once, {told['withheld']} withheld"
    )


def shuffled(number: int, chance: random.Random) -> list[bytes]:
    """Messages of many visitors, each one to five times."""
    copies: list[bytes] = []
    message = 0
    while len(copies) < number:
        message += 1
        copies += [payload(message, 1 + message % VISITORS)] * chance.randint(1, 5)
    chance.shuffle(copies)
    return copies


def channel(run: Run) -> str:
    terms = {
        "kind": "chatwoot",
        "name": "Web",
        "secret": SECRET,
        "base_url": run.receiver.url.rstrip("/"),
        "account_id": 1,
        "token": "token",
        "driver": "flow",
        "flow": FLOW_SLUG,
    }
    with httpx.Client(headers=run.load.headers, timeout=60) as http:
        made = http.post(f"{run.world.url}/api/v1/channels", json=terms).raise_for_status().json()
    return str(made["webhook_path"])


async def deliver(run: Run, path: str, bodies: list[bytes]) -> None:
    """Several senders share the pile; whoever gets no answer, or a fault, sends it again, as Chatwoot does."""
    left = iter(bodies)

    async def sender(http: httpx.AsyncClient) -> None:
        for body in left:
            while not await taken(http, path, body):
                await asyncio.sleep(0.2)

    async with httpx.AsyncClient(base_url=run.world.url, timeout=20) as http:
        await asyncio.gather(*(sender(http) for _ in range(SENDERS)))


async def taken(http: httpx.AsyncClient, path: str, body: bytes) -> bool:
    moment = str(int(time.time()))
    digest = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    headers = {"X-Chatwoot-Timestamp": moment, "X-Chatwoot-Signature": f"sha256={digest}"}
    try:
        answer = await http.post(path, content=body, headers={**headers, "Content-Type": "application/json"})
    except httpx.HTTPError:
        return False
    return answer.is_success


def worked(run: Run, messages: int) -> dict[str, dict[str, int]]:
    """What the database says once every message has had its turn and every call was made."""
    before, moved = {}, time.monotonic()
    while True:
        told = json.loads(run.world.manage("shell", "-v", "0", "-c", WORKED).stdout)
        if told["statuses"].get("worked", 0) >= messages and not told["waiting"]:
            return dict(told)
        if told != before:
            before, moved = told, time.monotonic()
        still = time.monotonic() - moved
        assert still < STANDSTILL_SECONDS, f"I12: {told['statuses']}, {told['waiting']} calls wait, {told['errors']}"
        time.sleep(3)
