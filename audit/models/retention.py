from django.db import models


class RetentionPolicy(models.Model):
    """How long words are kept after a conversation ended, and by what right they go. The newest version is in force."""

    version = models.PositiveIntegerField(unique=True)
    days = models.PositiveIntegerField(null=True, help_text="Null: words are kept.")
    basis = models.CharField(max_length=150, blank=True)
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-version"]

    def __str__(self) -> str:
        return f"retention policy {self.version}"


class RetentionRun(models.Model):
    """One pass of the retention: everything that ended up to `cutoff` has lost its words when `finished_at` is set."""

    policy = models.ForeignKey(RetentionPolicy, models.PROTECT, related_name="runs")
    cutoff = models.DateTimeField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    conversations = models.PositiveIntegerField(default=0)
    payloads = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-started_at", "-pk"]

    def __str__(self) -> str:
        return f"retention up to {self.cutoff}"
