from django.db import models
from django.db.models import Q


class LoopLabel(models.Model):
    """What a person says of a conversation: a loop or none. A later word of the same person supersedes, none goes."""

    relationship = models.ForeignKey("conversations.Relationship", models.PROTECT, related_name="loop_labels")
    finding = models.ForeignKey("conversations.LoopFinding", models.PROTECT, null=True, related_name="labels")
    is_loop = models.BooleanField()
    note = models.TextField(blank=True)
    reviewer = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["created_at", "pk"]
        indexes = [models.Index(fields=["created_at"], name="loop_label_at")]
        constraints = [
            models.UniqueConstraint(
                fields=["reviewer", "finding"],
                condition=Q(superseded_at=None, finding__isnull=False),
                name="one_label_a_finding",
            ),
            models.UniqueConstraint(
                fields=["reviewer", "relationship"],
                condition=Q(superseded_at=None, finding=None),
                name="one_label_a_conversation",
            ),
        ]

    def __str__(self) -> str:
        return f"{'loop' if self.is_loop else 'no loop'} ({self.reviewer})"


class LabelFrame(models.Model):
    """Conversations of one kind that a sample stands for: those alarmed, or those that stayed quiet, since the last."""

    stratum = models.CharField(max_length=10)
    since = models.DateTimeField(null=True)
    until = models.DateTimeField()
    population = models.PositiveIntegerField()

    class Meta:
        ordering = ["until", "pk"]

    def __str__(self) -> str:
        return f"{self.stratum}: {self.population} until {self.until}"


class LabelSample(models.Model):
    """A conversation drawn for the labelling queue."""

    frame = models.ForeignKey(LabelFrame, models.PROTECT, related_name="samples")
    relationship = models.OneToOneField("conversations.Relationship", models.PROTECT, related_name="label_sample")
    finding = models.ForeignKey("conversations.LoopFinding", models.PROTECT, null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"sample of {self.relationship_id}"


class ImportedTrace(models.Model):
    """A team's own labelled trace, judged when it was imported; its words are not kept."""

    source = models.CharField(max_length=100)
    trace = models.CharField(max_length=200)
    is_loop = models.BooleanField()
    onset = models.IntegerField(null=True)
    alarm = models.IntegerField(null=True, help_text="The step at which the detector raised the alarm.")
    length = models.PositiveIntegerField()
    peak = models.DecimalField(max_digits=3, decimal_places=2)
    rule = models.CharField(max_length=30, blank=True)
    policy_version = models.CharField(max_length=30)
    imported_at = models.DateTimeField()

    class Meta:
        ordering = ["source", "trace"]
        constraints = [models.UniqueConstraint(fields=["source", "trace"], name="trace_once_per_source")]

    def __str__(self) -> str:
        return f"{self.source}/{self.trace}"
