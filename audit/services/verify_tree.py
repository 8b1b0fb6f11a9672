"""Leaves = events, and every signed root is a prefix of the tree they make."""

from collections.abc import Iterator
from uuid import UUID

from audit.ledger.findings import Finding, Reason
from audit.ledger.merkle import Accumulator, Node, leaf_hash
from audit.ledger.proofs import inclusion_ranges, is_included
from audit.models import Leaf, MerkleNode
from audit.selectors.ledger_rows import leaf_rows, node_rows
from audit.selectors.tree import range_hashes, right_edge, tree_size
from audit.services.verify_checkpoints import KnownHead


def check_tree(heads: list[KnownHead], start: KnownHead | None) -> tuple[int, list[Finding]]:
    """Grows the tree again, from nothing or from a signed root, past every known root. Returns the tree's size."""
    tree = right_edge(start.size) if start else Accumulator()
    findings = TreeFindings(proved=tree.size)
    stored = node_rows(after_id=last_node_id(tree.size))
    waiting = [head for head in heads if head.size >= tree.size][::-1]
    findings.compare(tree, waiting)
    for index, text in leaf_rows(start=tree.size):
        if index != tree.size:
            findings.add(Reason.LEAF_GAP, f"leaf {tree.size} is missing", index)
            return tree.size, findings.found
        for node in tree.append(bytes.fromhex(text)):
            findings.compare_node(node, stored)
        if waiting and waiting[-1].size == tree.size:
            findings.compare(tree, waiting)
    for head in waiting[::-1]:
        findings.add(Reason.ROLLED_BACK, f"{head.source} has {head.size} leaves, the database {tree.size}", None)
    if next(stored, None) is not None:
        findings.add(Reason.NODE_DIFFERS, "there are subtrees of leaves that do not exist", None)
    findings.orphans()
    return tree.size, findings.found


class TreeFindings:
    """What is wrong with the tree; `proved` is the size up to which a signed root vouches for the leaves."""

    def __init__(self, *, proved: int) -> None:
        self.proved = proved
        self.found: list[Finding] = []
        self.nodes_differ = False

    def compare(self, tree: Accumulator, waiting: list[KnownHead]) -> None:
        while waiting and waiting[-1].size == tree.size:
            head = waiting.pop()
            if head.root == tree.root():
                self.proved = tree.size
            else:
                self.add(
                    Reason.CHECKPOINT_DIFFERS,
                    f"leaves {self.proved} to {tree.size - 1} are not what {head.source} signed",
                    self.proved,
                )

    def compare_node(self, node: Node, stored: Iterator[tuple[int, int, bytes]]) -> None:
        """Once one differs all above it do: only the first is told."""
        if self.nodes_differ:
            return
        if next(stored, None) != node:
            self.nodes_differ = True
            first = node.position << node.level
            self.add(
                Reason.NODE_DIFFERS,
                f"leaves {first} to {first + (1 << node.level) - 1} do not make the stored subtree",
                first,
            )

    def orphans(self) -> None:
        orphan = Leaf.objects.filter(event__id=None).first()
        if orphan is not None:
            self.add(Reason.LEAF_ORPHANED, f"leaf {orphan.index} has no event", None)

    def add(self, reason: Reason, detail: str, leaf_index: int | None) -> None:
        """Names the event of the leaf, where there is one."""
        event = (
            Leaf.objects.filter(index=leaf_index).values_list("event__relationship_id", "event__seq").first()
            if leaf_index is not None
            else None
        )
        relationship, seq = event or (None, None)
        self.found.append(Finding(reason, detail, relationship and str(relationship), seq))


def last_node_id(size: int) -> int:
    """The row of the last subtree that the first `size` leaves complete: the largest ending at an even number."""
    even = size & ~1
    if even == 0:
        return 0
    level = (even & -even).bit_length() - 1
    row = MerkleNode.objects.filter(level=level, index=(even >> level) - 1).values_list("id", flat=True)
    return row.first() or 0


def check_inclusion(relationship: UUID, heads: list[KnownHead]) -> Iterator[Finding]:
    """Every numbered event of one relationship, proved into every newest root that is known."""
    size = tree_size()
    newest = {head.outside: head for head in heads}  # they come smallest first
    leaves = list(
        Leaf.objects.filter(event__relationship=relationship, index__isnull=False)
        .order_by("event__seq")
        .values_list("event__seq", "index", "hash")
    )
    for head in newest.values():
        if head.size > size:
            yield Finding(Reason.ROLLED_BACK, f"{head.source} has {head.size} leaves, the database {size}")
            continue
        covered = [leaf for leaf in leaves if leaf[1] < head.size]
        known = range_hashes({one for _, index, _ in covered for one in inclusion_ranges(index, head.size)})
        for seq, index, text in covered:
            path = [known[one] for one in inclusion_ranges(index, head.size)]
            if not is_included(
                leaf=leaf_hash(bytes.fromhex(text)), index=index, size=head.size, path=path, root=head.root
            ):
                yield Finding(
                    Reason.NOT_IN_CHECKPOINT,
                    f"not what {head.source} signed",
                    str(relationship),
                    seq,
                )
                break
