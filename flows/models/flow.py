from django.db import models


class Flow(models.Model):
    """A flow and its draft. The draft may be broken; what is published is a version and never changes."""

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    draft = models.JSONField(default=dict)
    draft_author = models.CharField(max_length=150, blank=True)
    draft_saved_at = models.DateTimeField()
    draft_revision = models.PositiveIntegerField(default=1, help_text="Goes up with every save of the draft.")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name


class FlowVersion(models.Model):
    """A published definition, pinned by number and content hash."""

    flow = models.ForeignKey(Flow, models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    definition = models.JSONField()
    hash = models.CharField(max_length=64)
    note = models.CharField(max_length=500, blank=True)
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["flow", "-version"]
        constraints = [models.UniqueConstraint(fields=["flow", "version"], name="flow_version_once")]

    def __str__(self) -> str:
        return f"{self.flow.slug} v{self.version}"
