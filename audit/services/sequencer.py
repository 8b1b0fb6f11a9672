"""The single writer that gives leaves their numbers.

It takes the leaves that have none, never "every id above the last": ids are handed out before transactions commit, so
a lower id may appear after a higher one was numbered.
"""

from django.db import connection

from audit.models import Leaf, MerkleNode
from audit.selectors.tree import right_edge, tree_size
from conversations.services.locks import only_writer

BATCH = 5000

NUMBER = """
UPDATE audit_leaf SET "index" = numbered.position
FROM (SELECT event_id, %s - 1 + row_number() OVER (ORDER BY event_id) AS position
      FROM audit_leaf WHERE "index" IS NULL ORDER BY event_id LIMIT %s) AS numbered
WHERE audit_leaf.event_id = numbered.event_id
"""


def sequence(*, wait: bool = False) -> int:
    """Numbers every leaf that waits by now and stores the subtrees they complete. Returns how many were numbered.

    Without `wait`, it leaves the work to another sequencer that is already at it.
    """
    numbered = 0
    while Leaf.objects.filter(index=None).exists():
        batch = sequence_batch(wait=wait)
        numbered += batch
        if batch < BATCH:  # what came meanwhile is the next run's: under steady load this one would never end
            break
    return numbered


def sequence_batch(*, wait: bool) -> int:
    """One batch in one transaction: numbers and nodes appear together or not at all."""
    with only_writer(wait=wait) as taken:
        if not taken:
            return 0
        tree = right_edge(tree_size())
        first = tree.size
        with connection.cursor() as cursor:
            cursor.execute(NUMBER, [first, BATCH])
        new = Leaf.objects.filter(index__gte=first).order_by("index").values_list("hash", flat=True)
        nodes = [node for text in new for node in tree.append(bytes.fromhex(text))]
        MerkleNode.objects.bulk_create(
            MerkleNode(level=node.level, index=node.position, hash=node.hash) for node in nodes
        )
        return tree.size - first
