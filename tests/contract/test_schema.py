"""Schemathesis plays every operation of the published schema against a real server: never a 5xx, never off the schema.

Addresses are made of things that exist, so that the requests come further than a 404.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis.checks import not_a_server_error
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.live_server import LiveServer, serve

pytestmark = pytest.mark.stack

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# how many requests of each kind an operation gets: most of what a key may do, a router may
EXAMPLES = {"router": 10, "operator": 4, "editor": 4, "auditor": 2, "participant": 4}
DRIVERS = ("relay", "assistant", "workflow")


@dataclass(frozen=True, slots=True)
class World:
    """A server with something in it, and the names by which addresses can find it."""

    server: LiveServer
    names: dict[str, list[str]]

    def key(self, role: str) -> str:
        return self.server.key(role, "bank" if role == "participant" else None)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    # its own server: what is sent here must not change other tests' guard policy, and comes faster than a key may
    with serve(LASTWORD_RATE_LIMIT="1000000") as server:
        with httpx.Client(
            base_url=f"{server.url}/api/v1", headers={"Authorization": f"Bearer {server.key('router')}"}, timeout=60
        ) as router:
            terms = {"initiator": "bank", "responder": "customer"}
            made = [router.post("/relationships", json={**terms, "driver": driver}).json()["id"] for driver in DRIVERS]
            handoffs = [router.post(f"/relationships/{one}/handoff", json={}).json()["id"] for one in made[:2]]
            router.post("/personas", json={"handle": "ada"})
        yield World(server, {"relationship_id": made, "handoff_id": handoffs, "key": ["thread"]})


@pytest.mark.parametrize("role", EXAMPLES)
def test_whatever_the_schema_allows_or_forbids_is_answered_as_it_says(world: World, role: str) -> None:
    schema = schemathesis.openapi.from_url(f"{world.server.url}/api/v1/schema")
    played = [play(found.ok(), world, role) for found in schema.get_all_operations()]
    assert len(played) > 70
    assert sum(played) > len(played), "no requests, no proof"


def play(operation: Any, world: World, role: str) -> int:
    """Requests by the schema, and requests beside it; how many."""
    sent = 0
    headers = {"Authorization": f"Bearer {world.key(role)}"}

    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @hypothesis.settings(
            max_examples=EXAMPLES[role],
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            nonlocal sent
            for name, known in world.names.items():
                if name in (case.path_parameters or {}) and sent % 4:
                    case.path_parameters[name] = known[sent % len(known)]
            sent += 1
            case.validate_response(case.call(headers=headers), checks=CHECKS)

        try:
            send()
        except hypothesis.errors.Unsatisfiable:
            continue  # an operation without parameters has nothing to get wrong
    return sent
