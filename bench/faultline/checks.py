"""Recovery, then every invariant: I1-I12 by `check_invariants`, I13 and I14 by what the clients saw."""

import json
import time
from datetime import UTC, datetime, timedelta

import httpx

from bench.faultline.run import Run
from bench.faultline.stories import Said

DRAIN_SECONDS = 420
SETTLE_SECONDS = 5
CALM_SECONDS = 10
SWEPT_WITHIN = timedelta(seconds=60)
TOLD = """
import json
from collections import Counter
from django.utils import timezone
from conversations.domain.threads import OPEN
from conversations.domain.times import WRONG_CLOCK
from conversations.models import Event, OutboxMessage, ScheduledReply
notices = OutboxMessage.objects.filter(destination__startswith="subscription")
print(json.dumps({
    "events": Event.objects.count(),
    "notices": list(notices.values_list("id", flat=True)),
    "replies": Counter(ScheduledReply.objects.values_list("state", flat=True)),
    "open": ScheduledReply.objects.filter(state__in=OPEN, due_at__lt=timezone.now() + WRONG_CLOCK).count(),
}))
"""


def checked(run: Run) -> str:
    """Raises at the first invariant that does not hold; says how much was acknowledged."""
    ended = run.world.start_ended()
    run.world.wait_until_ready()
    time.sleep(SETTLE_SECONDS)
    calm = time.monotonic()
    if run.load.messages is None:
        time.sleep(CALM_SECONDS)
    run.load.stop()
    check_answers(run, calm)
    run.watchers.catch_up()
    replies = check_ledger(run)
    said = [said for teller in run.load.tellers for said in teller.said]
    flaws = [flaw for teller in run.load.tellers for flaw in teller.flaws]
    with httpx.Client(base_url=f"{run.world.url}/api/v1", headers=run.load.headers, timeout=60) as http:
        flaws += wrongly_kept(http, said)
        flaws += overdue(http, [one for teller in run.load.tellers for one in teller.left_alone])
    assert not flaws, flaws[:5]
    acknowledged = len(run.load.receipts) + sum(one.acknowledged for one in said)
    restarted = f", {len(ended)} parts had ended ({', '.join(ended)})" if ended else ""
    personas = ", ".join(f"{count} {state}" for state, count in sorted(replies.items())) or "none"
    return (
        f"{acknowledged} acknowledged, 0 lost, replies of personas: {personas}, "
        f"{run.watchers.cut_off} sockets cut off and caught up{restarted}"
    )


def check_answers(run: Run, calm: float) -> None:
    """I13: never a 500, and none of its kin once all is well again."""
    later = [status for at, status in run.load.seen.faults if at > calm]
    assert not later, f"I13: {later[:10]} after recovery"
    assert not run.load.seen.statuses[500], f"I13: {run.load.seen.statuses}"
    strange = {status for status in run.load.seen.statuses if status in (400, 401, 404, 405, 422)}
    assert not strange, f"refused for no reason: {run.load.seen.statuses}"


def check_ledger(run: Run) -> dict[str, int]:
    """I1-I12, with every receipt; waits for what is still on its way. Says what became of the personas' replies."""
    receipts = run.world.folder / "receipts.jsonl"
    run.load.write_receipts(receipts)
    deadline = time.monotonic() + DRAIN_SECONDS
    while True:
        done = run.world.manage("check_invariants", "--drained", "--receipts", str(receipts), ok=(0, 1))
        told = json.loads(run.world.manage("shell", "-v", "0", "-c", TOLD).stdout)
        if done.returncode == 0 and not told["open"]:
            break
        assert time.monotonic() < deadline, f"{done.stdout}{done.stderr}, {told['open']} replies open (I12)"[:1500]
        time.sleep(2)
    rows, heard = told["notices"], run.receiver.heard
    assert len(rows) == told["events"], f"I8: {told['events']} events, {len(rows)} notices"
    assert set(rows) == set(heard), f"I8: {len(rows)} notices, {len(heard)} heard"
    return dict(told["replies"])


def wrongly_kept(http: httpx.Client, said: list[Said]) -> list[str]:
    """I2 and I7 for what has a number of its caller's: once when acknowledged, never when refused."""
    chains = {one.conversation: chain(http, one.conversation) for one in said}
    counts = [
        (one, sum(event["type"] == one.type and event["payload"].get(one.field) == one.value for event in told))
        for one in said
        for told in [chains[one.conversation]]
    ]
    return [f"{one} is there {count} times" for one, count in counts if count != int(one.acknowledged)]


def chain(http: httpx.Client, conversation: str) -> list[dict[str, dict[str, str]]]:
    answer = http.get(f"/relationships/{conversation}/events", params={"limit": 100}).raise_for_status().json()
    assert answer["next"] is None, "a story of more than a hundred events"
    return list(answer["results"])


def overdue(http: httpx.Client, conversations: list[str]) -> list[str]:
    """Whatever nobody ended, the sweep has ended, soon after its time."""
    limit = datetime.now(UTC) - SWEPT_WITHIN
    told = [http.get(f"/relationships/{one}").raise_for_status().json() for one in conversations]
    late = [one for one in told if datetime.fromisoformat(one["expires_at"]) < limit]
    return [f"{one['id']} is overdue and {one['conversation_state']}" for one in late if one["closed_at"] is None]
