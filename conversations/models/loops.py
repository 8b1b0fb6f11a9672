import uuid

from django.db import models


class LoopWatch(models.Model):
    """What the loop review remembers of a conversation, bounded: a projection of its events."""

    relationship = models.OneToOneField("Relationship", models.PROTECT, primary_key=True, related_name="loop_watch")
    run = models.JSONField(help_text="The workflow run with the detector's memory in it.")
    rules = models.JSONField(default=list, help_text="Rules found since the conversation began or was given back.")
    length = models.PositiveIntegerField(default=0, help_text="Messages or steps looked at.")
    peak = models.DecimalField(max_digits=3, decimal_places=2, default=0, help_text="The highest confidence so far.")
    peak_rule = models.CharField(max_length=30, blank=True)
    findings = models.JSONField(default=list, help_text="What the message `seq` gave rise to, alarms or not.")
    seq = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"watch of {self.relationship_id}"


class LoopFinding(models.Model):
    """An alarm (L5): which rule, on which evidence, how sure, and what was done about it. A projection."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    relationship = models.ForeignKey("Relationship", models.PROTECT, related_name="loop_findings")
    seq = models.PositiveIntegerField()
    rule = models.CharField(max_length=30)
    loop_type = models.CharField(max_length=20)
    action = models.CharField(max_length=20)
    confidence = models.DecimalField(max_digits=3, decimal_places=2)
    unit = models.CharField(max_length=10, help_text="What `evidence` numbers: steps of a run, or events.")
    evidence = models.JSONField()
    window_start = models.PositiveIntegerField()
    window_end = models.PositiveIntegerField()
    detail = models.TextField(blank=True)
    level = models.CharField(max_length=10)
    policy_version = models.CharField(max_length=30)
    handoff_id = models.UUIDField(null=True)
    found_at = models.DateTimeField()

    class Meta:
        ordering = ["found_at", "seq"]
        indexes = [
            models.Index(fields=["relationship", "seq"], name="loop_finding_of"),
            models.Index(fields=["found_at"], name="loop_finding_at"),
        ]

    def __str__(self) -> str:
        return f"{self.rule} ({self.confidence})"
