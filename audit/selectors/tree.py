"""Reads of the Merkle tree: O(log n) rows for any root or proof."""

from collections.abc import Iterable

from django.db.models import Max, Q

from audit.errors import MissingNodeError
from audit.ledger.merkle import Accumulator, Coordinates, complete_subtrees, leaf_hash, range_hash
from audit.ledger.proofs import Range
from audit.models import Leaf, MerkleNode

CHUNK = 200  # coordinates a query: SQLite limits the depth of an expression


def tree_size() -> int:
    """How many leaves are numbered."""
    last: int | None = Leaf.objects.aggregate(last=Max("index"))["last"]
    return 0 if last is None else last + 1


def subtrees(coordinates: Iterable[Coordinates]) -> dict[Coordinates, bytes]:
    """The stored hashes of complete subtrees; a leaf's is computed from its event hash."""
    wanted = set(coordinates)
    leaves = [index for level, index in wanted if level == 0]
    nodes = sorted(coordinates for coordinates in wanted if coordinates[0] > 0)
    found: dict[Coordinates, bytes] = {}
    for start in range(0, len(leaves), CHUNK):
        for index, text in Leaf.objects.filter(index__in=leaves[start : start + CHUNK]).values_list("index", "hash"):
            found[0, index] = leaf_hash(bytes.fromhex(text))
    for start in range(0, len(nodes), CHUNK):
        named = Q()
        for level, index in nodes[start : start + CHUNK]:
            named |= Q(level=level, index=index)
        for level, index, value in MerkleNode.objects.filter(named).values_list("level", "index", "hash"):
            found[level, index] = bytes(value)
    return found


def range_hashes(ranges: Iterable[Range]) -> dict[Range, bytes]:
    """The tree hash of each range of leaves, in as few queries as possible."""
    asked = set(ranges)
    known = subtrees(one for start, end in asked for one in complete_subtrees(start, end))
    try:
        return {(start, end): range_hash(start, end, known.__getitem__) for start, end in asked}
    except KeyError as missing:
        raise MissingNodeError(f"the tree has no node {missing}") from missing


def root_at(size: int) -> bytes:
    """The root the tree had when it had this many leaves."""
    return range_hashes([(0, size)])[0, size]


def right_edge(size: int) -> Accumulator:
    """The tree of this size, ready to grow."""
    peaks = [(index << level, (index + 1) << level) for level, index in complete_subtrees(0, size)]
    known = range_hashes(peaks)
    return Accumulator(size, [known[peak] for peak in peaks])
