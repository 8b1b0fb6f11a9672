import uuid

from django.db import models


class Exploration(models.Model):
    """A background search for the bad ends a visitor can reach in one definition."""

    class Status(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    flow = models.ForeignKey("Flow", models.CASCADE, related_name="explorations")
    definition = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0, help_text="Percent of the states that may be seen.")
    result = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"exploration of {self.flow.slug} ({self.status})"
