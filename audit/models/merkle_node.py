from django.db import models


class MerkleNode(models.Model):
    """The hash of a complete subtree of two leaves or more; written once, in the order of completion."""

    level = models.PositiveSmallIntegerField()
    index = models.PositiveBigIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["level", "index"], name="merkle_node_once")]

    def __str__(self) -> str:
        return f"node {self.level}/{self.index}"
