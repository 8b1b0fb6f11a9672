"""Flows as the contract spells them."""

from datetime import UTC, datetime
from typing import Any

from flows.engine.simulate import Simulation
from flows.models import Exploration, Flow, FlowScript, FlowVersion
from flows.selectors.flows import versions_of


def moment(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def flow_json(flow: Flow) -> dict[str, Any]:
    """A flow with its draft and what is published of it."""
    newest = versions_of(flow).first()
    return {
        "slug": flow.slug,
        "name": flow.name,
        "draft": flow.draft,
        "draft_author": flow.draft_author,
        "draft_revision": flow.draft_revision,
        "draft_saved_at": moment(flow.draft_saved_at),
        "created_at": moment(flow.created_at),
        "published": newest and version_json(newest),
    }


def version_json(version: FlowVersion) -> dict[str, Any]:
    return {
        "slug": version.flow.slug,
        "version": version.version,
        "hash": version.hash,
        "note": version.note,
        "author": version.author,
        "created_at": moment(version.created_at),
    }


def exploration_json(job: Exploration) -> dict[str, Any]:
    return {
        "job": str(job.pk),
        "status": job.status,
        "progress": job.progress,
        "states": job.result.get("states", 0),
        "deadlocks": [ending_json(each) for each in job.result.get("deadlocks", [])],
        "handoffs": [ending_json(each) for each in job.result.get("handoffs", [])],
        "complete": job.result.get("complete"),
    }


def ending_json(ending: dict[str, Any]) -> dict[str, Any]:
    """A bad end; its shortest dialogue is a script as `/flows/simulate` takes it, under both names."""
    return {**ending, "dialogue": ending["script"]}


def simulation_json(played: Simulation) -> dict[str, Any]:
    """Every answer in the shape of `/turns`; in a simulation nothing is stored, owned or handed to anybody."""
    nobody = {"message_id": None, "duplicate": False, "suppressed": None, "handoff_id": None}
    told = played.to_json()
    return {**told, "trace": [{**answer, **nobody} for answer in told["trace"]]}


def script_json(kept: FlowScript, found: dict[str, Any] | None) -> dict[str, Any]:
    """A saved conversation; `found` is how it goes now, where that is not as expected."""
    return {
        "name": kept.name,
        "script": kept.script,
        "expected": kept.expected,
        "author": kept.author,
        "passes": found is None,
        "found": found,
    }
