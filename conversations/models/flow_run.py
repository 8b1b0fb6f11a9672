from django.db import models


class FlowRun(models.Model):
    """Where a conversation stands in its flow: the runtime state without its log, a projection of its events."""

    relationship = models.OneToOneField("Relationship", models.PROTECT, primary_key=True, related_name="flow_run")
    state = models.JSONField()
    status = models.CharField(max_length=10)
    node_id = models.CharField(max_length=200, null=True)  # noqa: DJ001 absent is not empty
    lines = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"run of {self.relationship_id} ({self.status})"


class TurnLog(models.Model):
    """One line of the turn log (seed 001); the reply to a turn completes its line."""

    relationship = models.ForeignKey("Relationship", models.PROTECT, related_name="turn_log")
    line = models.PositiveIntegerField()
    turn_index = models.PositiveIntegerField()
    node_id = models.CharField(max_length=200)
    mode = models.CharField(max_length=10)
    entry = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["relationship", "line"]
        constraints = [models.UniqueConstraint(fields=["relationship", "line"], name="turn_log_line_once")]
        indexes = [models.Index(fields=["node_id", "mode", "at"], name="turn_log_by_node")]

    def __str__(self) -> str:
        return f"turn {self.turn_index}: {self.node_id} {self.mode}"


class MessageReceipt(models.Model):
    """The answer given to one message id of one conversation; the same id again gets the same answer."""

    relationship = models.ForeignKey("Relationship", models.PROTECT, related_name="message_receipts")
    message_id = models.CharField(max_length=200)
    answer = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["relationship", "message_id"], name="message_once")]

    def __str__(self) -> str:
        return self.message_id
