"""What changed between two definitions, and the hash that pins one."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785

from .findings import pointer

Path = tuple[str, ...]
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Change:
    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Diff:
    """Paths name nodes by id (`/nodes/contact-1/prompts`), so that moving a node is not a rewrite of the list."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        changed = [{"path": each.path, "from": each.before, "to": each.after} for each in self.changed]
        return {"added": list(self.added), "removed": list(self.removed), "changed": changed}


def content_hash(document: Mapping[str, Any]) -> str:
    """SHA-256 of the RFC 8785 form of a definition, in hexadecimal."""
    return hashlib.sha256(rfc8785.dumps(dict(document))).hexdigest()


def diff(old: Mapping[str, Any], new: Mapping[str, Any]) -> Diff:
    """Compare two documents that parse. Order among nodes that stay matters (F13) and is a change of `/nodes`."""
    added: list[str] = []
    removed: list[str] = []
    changed: list[Change] = []
    for path, before, after in _differences((), _nodes_by_id(old), _nodes_by_id(new)):
        place = pointer(*path)
        if before is _ABSENT:
            added.append(place)
        elif after is _ABSENT:
            removed.append(place)
        else:
            changed.append(Change(place, before, after))
    return Diff(tuple(added), tuple(removed), (*changed, *_reordered(old, new)))


def _differences(path: Path, old: Any, new: Any) -> Iterator[tuple[Path, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            yield from _differences((*path, key), old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif old != new:
        yield path, old, new


def _nodes_by_id(document: Mapping[str, Any]) -> dict[str, Any]:
    return {**document, "nodes": {node["id"]: node for node in document["nodes"]}}


def _reordered(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    ids = [[node["id"] for node in document["nodes"]] for document in (old, new)]
    kept = set(ids[0]) & set(ids[1])
    before, after = ([node_id for node_id in each if node_id in kept] for each in ids)
    if before != after:
        yield Change("/nodes", before, after)
