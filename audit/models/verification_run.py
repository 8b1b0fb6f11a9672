import uuid

from django.db import models
from django.db.models import Q


class VerificationRun(models.Model):
    """A verification of the whole ledger in the background: who asked, how far it is, what it found."""

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        SOUND = "sound"
        BROKEN = "broken"
        NOT_CHECKED = "not_checked"
        FAILED = "failed"
        LOST = "lost"

    UNFINISHED = (Status.QUEUED, Status.RUNNING)
    INCONCLUSIVE = (*UNFINISHED, Status.LOST)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED)
    asked_by = models.CharField(max_length=100, help_text="The ledger's name of who asked.")
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    percent = models.PositiveSmallIntegerField(default=0, help_text="Of the events, read so far.")
    heard_at = models.DateTimeField(null=True, help_text="The last sign of life of whoever runs it.")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["-created_at"], name="verification_newest")]
        constraints = [
            # two people who ask at once watch the same run
            models.UniqueConstraint(
                models.Value(1), condition=Q(status__in=["queued", "running"]), name="one_verification_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"verification of {self.created_at} ({self.status})"
