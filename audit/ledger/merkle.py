"""The RFC 6962 Merkle tree, grown leaf by leaf. A leaf's data is an event hash (32 bytes).

A *complete subtree* at (level, index) covers the leaves [index << level, (index + 1) << level) and never changes once
its last leaf is there: only those are stored, and every root and proof is put together from them.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

EMPTY_ROOT = hashlib.sha256(b"").digest()

Coordinates = tuple[int, int]
Lookup = Callable[[Coordinates], bytes]


class Node(NamedTuple):
    """A complete subtree and its hash."""

    level: int
    position: int
    hash: bytes


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf; the prefix keeps leaves and inner nodes apart."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(slots=True)
class Accumulator:
    """The right edge of a growing tree: one peak per set bit of `size`, largest first."""

    size: int = 0
    peaks: list[bytes] = field(default_factory=list)

    def append(self, data: bytes) -> list[Node]:
        """Adds a leaf and returns the subtrees it completes, smallest first."""
        completed: list[Node] = []
        position, level, grown = self.size, 0, leaf_hash(data)
        while position & 1:
            position >>= 1
            level += 1
            grown = node_hash(self.peaks.pop(), grown)
            completed.append(Node(level, position, grown))
        self.peaks.append(grown)
        self.size += 1
        return completed

    def root(self) -> bytes:
        return join(self.peaks)


def join(peaks: Sequence[bytes]) -> bytes:
    """The root over complete subtrees that stand side by side, largest first."""
    if not peaks:
        return EMPTY_ROOT
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def complete_subtrees(start: int, end: int) -> list[Coordinates]:
    """The complete subtrees that make up [start, end), left to right; `start` is aligned as RFC 6962 splits it."""
    found = []
    while start < end:
        level = (end - start).bit_length() - 1
        found.append((level, start >> level))
        start += 1 << level
    return found


def range_hash(start: int, end: int, lookup: Lookup) -> bytes:
    """The tree hash of the leaves [start, end), from stored subtrees."""
    return join([lookup(coordinates) for coordinates in complete_subtrees(start, end)])
