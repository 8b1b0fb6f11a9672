"""The tree and its proofs are those of RFC 6962."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.ledger.merkle import (
    EMPTY_ROOT,
    Accumulator,
    Coordinates,
    Node,
    complete_subtrees,
    leaf_hash,
    node_hash,
    range_hash,
)
from audit.ledger.proofs import consistency_ranges, inclusion_ranges, is_consistent, is_included

# the vectors of the reference implementation of certificate transparency
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = {
    (0, 1): [],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}
CONSISTENCY = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
}

sizes = st.integers(1, 70)


class Log:
    """A tree and everything it ever stored."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.tree = Accumulator()
        self.stored: dict[Coordinates, bytes] = {}
        self.roots = [EMPTY_ROOT]
        for index, data in enumerate(leaves):
            self.keep(Node(0, index, leaf_hash(data)))
            for node in self.tree.append(data):
                self.keep(node)
            self.roots.append(self.tree.root())

    def keep(self, node: Node) -> None:
        self.stored[node.level, node.position] = node.hash

    def hashes(self, ranges: list[tuple[int, int]]) -> list[bytes]:
        return [range_hash(start, end, self.stored.__getitem__) for start, end in ranges]


def recursive_root(leaves: list[bytes]) -> bytes:
    """The RFC's definition, word for word."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    return node_hash(recursive_root(leaves[:middle]), recursive_root(leaves[middle:]))


def log_of(size: int) -> Log:
    return Log([b"%d" % number for number in range(size)])


def test_roots_are_the_reference_vectors() -> None:
    assert [root.hex() for root in Log(LEAVES).roots[1:]] == ROOTS
    assert EMPTY_ROOT.hex().startswith("e3b0c44298fc1c14")


@pytest.mark.parametrize(("index", "size"), INCLUSION)
def test_inclusion_proofs_are_the_reference_vectors(index: int, size: int) -> None:
    path = Log(LEAVES).hashes(inclusion_ranges(index, size))
    assert [step.hex() for step in path] == INCLUSION[index, size]


@pytest.mark.parametrize(("old", "size"), CONSISTENCY)
def test_consistency_proofs_are_the_reference_vectors(old: int, size: int) -> None:
    path = Log(LEAVES).hashes(consistency_ranges(old, size))
    assert [step.hex() for step in path] == CONSISTENCY[old, size]


@given(st.lists(st.binary(max_size=4), max_size=70))
def test_the_grown_tree_is_the_recursive_one(leaves: list[bytes]) -> None:
    assert Log(leaves).tree.root() == recursive_root(leaves)


@given(sizes, st.data())
def test_every_root_is_put_together_from_stored_subtrees(size: int, data: st.DataObject) -> None:
    log = log_of(size)
    old = data.draw(st.integers(1, size))
    assert log.hashes([(0, old)]) == [log.roots[old]]
    again = Accumulator(old, [log.stored[one] for one in complete_subtrees(0, old)])
    for number in range(old, size):
        again.append(b"%d" % number)
    assert again.root() == log.roots[size]


@given(sizes, st.data())
def test_a_leaf_is_proved_at_its_place_and_nowhere_else(size: int, data: st.DataObject) -> None:
    log = log_of(size)
    index, other = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    path = log.hashes(inclusion_ranges(index, size))
    leaf = leaf_hash(b"%d" % index)
    assert is_included(leaf=leaf, index=index, size=size, path=path, root=log.roots[size])
    assert is_included(leaf=leaf, index=other, size=size, path=path, root=log.roots[size]) == (index == other)
    assert not is_included(leaf=leaf, index=index, size=size, path=[*path, leaf], root=log.roots[size])
    assert not is_included(leaf=leaf, index=size, size=size, path=path, root=log.roots[size])
    assert not is_included(leaf=leaf_hash(b"x"), index=index, size=size, path=path, root=log.roots[size])


@given(sizes, st.data())
def test_a_prefix_is_proved_and_no_other_tree_is(size: int, data: st.DataObject) -> None:
    log = log_of(size)
    old = data.draw(st.integers(1, size))
    path = log.hashes(consistency_ranges(old, size))
    forged = leaf_hash(b"forged")

    def holds(**changed: object) -> bool:
        told = {"old_size": old, "old_root": log.roots[old], "size": size, "root": log.roots[size], "path": path}
        return is_consistent(**{**told, **changed})  # type: ignore[arg-type]

    assert holds()
    assert not holds(old_root=forged)
    assert not holds(root=forged)
    assert not holds(path=[*path, forged])
    assert not holds(old_size=0)
    for step in range(len(path)):
        assert not holds(path=[*path[:step], forged, *path[step + 1 :]])


@pytest.mark.parametrize(("index", "size"), [(0, 0), (3, 3), (-1, 3)])
def test_a_leaf_that_is_not_there_has_no_proof(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        inclusion_ranges(index, size)


@pytest.mark.parametrize(("old", "size"), [(0, 3), (4, 3)])
def test_a_tree_that_is_no_prefix_has_no_proof(old: int, size: int) -> None:
    with pytest.raises(ValueError, match="no prefix"):
        consistency_ranges(old, size)
