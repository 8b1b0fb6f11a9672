"""Inclusion and consistency proofs (RFC 6962, 2.1; verified as RFC 9162, 2.1.3.2 and 2.1.4.2, say)."""

from collections.abc import Sequence

from audit.ledger.merkle import node_hash

Range = tuple[int, int]


def split(size: int) -> int:
    """The largest power of two below `size`: where the tree parts."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_ranges(index: int, size: int) -> list[Range]:
    """The leaf ranges whose hashes prove leaf `index` in a tree of `size`, nearest sibling first."""
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size}")
    path: list[Range] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    return path[::-1]


def consistency_ranges(old_size: int, size: int) -> list[Range]:
    """The leaf ranges whose hashes prove that a tree of `old_size` is a prefix of one of `size`."""
    if not 0 < old_size <= size:
        raise ValueError(f"a tree of {old_size} is no prefix of one of {size}")
    path: list[Range] = []
    start, end, old_root_known = 0, size, True
    while old_size != end:
        middle = start + split(end - start)
        if old_size <= middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start, old_root_known = middle, False
    if not old_root_known:
        path.append((start, end))
    return path[::-1]


def is_included(*, leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf's hash to the root."""
    if not 0 <= index < size:
        return False
    position, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if position & 1 or position == last:
            found = node_hash(sibling, found)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(*, old_size: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of `old_size` is a prefix of the tree of `size`."""
    if old_size == size:
        return not path and old_root == root
    if not 0 < old_size < size:
        return False
    hashes = [old_root, *path] if old_size & (old_size - 1) == 0 else list(path)
    if not hashes:
        return False
    position, last = old_size - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    old_found = found = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            old_found, found = node_hash(sibling, old_found), node_hash(sibling, found)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and old_found == old_root and found == root
