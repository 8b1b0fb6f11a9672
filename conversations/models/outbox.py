from django.db import models

AUDIENCE = "audience"
UNSETTLED = models.Q(delivered_at__isnull=True, abandoned_at__isnull=True)
# A query has to say these in these words, or SQLite does not see that the partial index answers it.
REMOTE = UNSETTLED & ~models.Q(destination=AUDIENCE)
IN_A_LANE = UNSETTLED & ~models.Q(lane="")


class OutboxMessage(models.Model):
    """Something to tell the world, written in the transaction that made it true; the relay delivers it after.

    A relay takes a row for somebody elsewhere by moving `available_at` ahead and counting `attempts` up: until then
    nobody else takes it, and only who counted last may say how it ended.
    """

    destination = models.CharField(max_length=100, help_text="Which deliverer takes it, by its first word.")
    event = models.ForeignKey("Event", models.PROTECT, related_name="outbox")
    part = models.PositiveSmallIntegerField(default=0, help_text="An event may need several calls.")
    lane = models.CharField(max_length=250, blank=True, help_text="Rows of one lane go one after another, in order.")
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    available_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True)
    abandoned_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "destination", "part"], name="outbox_once")]
        indexes = [
            models.Index(fields=["available_at", "id"], condition=REMOTE, name="outbox_due"),
            models.Index(fields=["destination", "id"], condition=UNSETTLED, name="outbox_waiting"),
            models.Index(fields=["lane", "id"], condition=IN_A_LANE, name="outbox_lane"),
            models.Index(fields=["destination", "-id"], name="outbox_destination"),
            models.Index(
                fields=["abandoned_at"], condition=models.Q(abandoned_at__isnull=False), name="outbox_abandoned"
            ),
        ]

    def __str__(self) -> str:
        return f"outbox {self.pk} → {self.destination}"


class OutboxAttempt(models.Model):
    """One try to deliver to the outside: when, how long, what came back."""

    message = models.ForeignKey(OutboxMessage, models.CASCADE, related_name="tries")
    at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True, help_text="The other side's HTTP status, where it answered.")
    error = models.CharField(max_length=200, blank=True)
    duration_ms = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"try of {self.message_id}: {self.error or self.status}"
