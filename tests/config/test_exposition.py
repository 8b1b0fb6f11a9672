"""`/metrics`: who may read it, what it says, and that it names nobody."""

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from audit.services.sequencer import sequence
from conversations.services.handoff import request_handoff
from tests.audit.rollups.world import caught_up
from tests.cast import Actor, Clock, Opens, actor_for

pytestmark = pytest.mark.django_db
CANARY = "canary-alice@example.org"
MAY = {"router", "operator", "auditor"}


def scraped(actor: Actor) -> str:
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {actor.key}"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    return answer.content.decode()


def samples(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(f"{{{value}}}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize("role", ["router", "operator", "auditor", "editor", "participant"])
def test_the_roles_that_read_everything_may_scrape(role: str) -> None:
    actor = actor_for(role, "bank" if role == "participant" else None)
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {actor.key}"})
    assert answer.status_code == (200 if role in MAY else 403)


def test_without_a_key_nothing_is_told() -> None:
    answer = Client().get("/metrics")
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")


def test_nothing_can_be_written_there(router: Actor) -> None:
    answer = Client().post("/metrics", headers={"Authorization": f"Bearer {router.key}"})
    assert answer.status_code == 405


def test_the_vital_signs_follow_what_happens(router: Actor, operator: Actor, opened: Opens, clock: Clock) -> None:
    quiet = samples(scraped(router))
    assert quiet["lastword_conversations_active"] == 0
    assert quiet["lastword_handoff_oldest_wait_seconds"] == 0
    path = opened()
    opened(timebox_hours=1)
    request_handoff(relationship_id=path.rpartition("/")[2], reason="please", caller=operator.record)
    clock.advance(seconds=90)
    told = samples(scraped(router))
    assert told["lastword_conversations_active"] == 2
    assert told["lastword_handoffs_open{waiting}"] == 1
    assert told["lastword_handoff_oldest_wait_seconds"] == 90
    assert told["lastword_outbox_depth"] > 0
    assert told["lastword_outbox_oldest_seconds"] == 90
    assert told["lastword_sequencer_lag_events"] == 3
    assert told["lastword_sequencer_lag_seconds"] == 90
    assert told["lastword_sweep_lag_seconds"] == 0
    sequence(wait=True)
    told = samples(scraped(router))
    assert (told["lastword_sequencer_lag_events"], told["lastword_rollup_lag_events"]) == (0, 3)
    assert told["lastword_checkpoint_age_seconds"] == 90
    clock.advance(hours=1)
    assert samples(scraped(router))["lastword_sweep_lag_seconds"] == 90
    router.post("/sweep")
    caught_up(clock)
    told = samples(scraped(router))
    assert told["lastword_conversations_closed{expired}"] == 1
    assert told["lastword_rollup_lag_events"] == 0


def test_requests_and_refusals_are_counted_by_route_and_code(router: Actor, opened: Opens) -> None:
    path = opened()
    before = samples(scraped(router))
    router.post(f"{path}/intents", {"sender": "customer", "intent": "offer"})
    after = samples(scraped(router))
    refused = "lastword_refusals_total{intent_direction}"
    assert after[refused] - before.get(refused, 0) == 1
    counted = "lastword_http_requests_total{POST}{/api/v1/relationships/<uuid:relationship_id>/intents}{403}"
    assert after[counted] - before.get(counted, 0) == 1


def test_nobodys_words_names_or_addresses_are_exposed(router: Actor, opened: Opens, clock: Clock) -> None:
    path = opened(responder=CANARY, humotica=CANARY, context={"mail": CANARY})
    router.post(f"{path}/intents", {"sender": CANARY, "intent": "offer", "humotica": CANARY})
    router.post(f"/threads/{CANARY}/events", {"event_id": CANARY, "sender": CANARY, "text": CANARY})
    router.get(f"/{CANARY}")
    caught_up(clock)
    text = scraped(router)
    assert "canary" not in text
    assert path.rpartition("/")[2] not in text


def test_several_processes_answer_as_one(tmp_path: Path) -> None:
    """Each counts into the shared folder; whoever is asked adds them up."""
    count = "from config.instruments import REFUSALS; REFUSALS.labels('expired').inc()"
    ask = f"{count}; from config.exposition import of_the_processes; print(of_the_processes().decode())"
    for script in (count, count, ask):
        done = subprocess.run(
            [sys.executable, "-c", f"import django; django.setup(); {script}"],
            env={"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), **settings_environment(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    assert re.search(r'lastword_refusals_total\{code="expired"\} 3\.0', done.stdout)


def settings_environment(folder: Path) -> dict[str, str]:
    return {"DJANGO_SETTINGS_MODULE": "config.settings", "LASTWORD_DATA": str(folder / "data"), "LASTWORD_HTTPS": "0"}


def test_an_overdue_checkpoint_is_not_hidden_by_there_being_none(router: Actor, opened: Opens, clock: Clock) -> None:
    opened()
    clock.advance(minutes=5)
    assert samples(scraped(router))["lastword_checkpoint_age_seconds"] == timedelta(minutes=5).total_seconds()
