import uuid

from django.db import models

from conversations.domain.handoff import HandoffStatus


class Handoff(models.Model):
    """A conversation asked for, held by, or given back by a person: a projection of its chain events."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    relationship = models.ForeignKey("Relationship", models.PROTECT, related_name="handoffs")
    status = models.CharField(max_length=10, default=HandoffStatus.WAITING)
    version = models.PositiveIntegerField(default=0)
    reason = models.TextField(blank=True)
    summary = models.TextField(blank=True)
    figures = models.JSONField(default=dict, help_text="Reason and summary as codes and figures, for the screens.")
    operator = models.CharField(max_length=150, null=True)  # noqa: DJ001 absent is not empty in the contract
    transfer_to = models.CharField(max_length=150, null=True)  # noqa: DJ001 as above
    requested_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    last_act_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["requested_at"]
        indexes = [
            models.Index(fields=["status", "requested_at"], name="handoff_queue"),
            models.Index(fields=["-requested_at", "-id"], name="handoff_newest"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["relationship"],
                condition=models.Q(status__in=["waiting", "claimed"]),
                name="one_open_handoff",
            )
        ]

    def __str__(self) -> str:
        return f"handoff {str(self.id)[:8]} ({self.status})"
