import uuid

from django.db import models


class Delivery(models.Model):
    """One webhook as it arrived, what was made of it, and why nothing was said where nothing was."""

    class Status(models.TextChoices):
        RECEIVED = "received"
        WORKED = "worked"
        IGNORED = "ignored"
        DUPLICATE = "duplicate"
        UNREADABLE = "unreadable"
        REFUSED = "refused"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    channel = models.ForeignKey("Channel", models.PROTECT, related_name="deliveries")
    received_at = models.DateTimeField()
    event = models.CharField(max_length=60, blank=True)
    # Only what is to be worked has a key: a refused request must not block the real one.
    dedupe_key = models.CharField(max_length=300, null=True)  # noqa: DJ001 null is what makes the constraint skip it
    duplicate_of = models.ForeignKey("self", models.PROTECT, null=True, related_name="duplicates")
    headers = models.JSONField(default=dict)
    body = models.BinaryField()
    signature = models.CharField(max_length=20)
    status = models.CharField(max_length=12, choices=Status, default=Status.RECEIVED)
    verdict = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    relationship = models.ForeignKey("Relationship", models.PROTECT, null=True, related_name="deliveries")
    attempts = models.PositiveIntegerField(default=0)
    available_at = models.DateTimeField()
    worked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-received_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["channel", "dedupe_key"], name="delivery_once")]
        indexes = [
            models.Index(
                fields=["available_at", "received_at"], condition=models.Q(status="received"), name="delivery_due"
            ),
            models.Index(fields=["-received_at", "-id"], name="delivery_newest"),
            models.Index(fields=["channel", "-received_at", "-id"], name="delivery_of_channel"),
        ]

    def __str__(self) -> str:
        return f"{self.event or 'delivery'} {str(self.id)[:8]} ({self.status})"
