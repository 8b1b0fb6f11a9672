from django.db import models


class PolicyVersion(models.Model):
    """One version of the guard policy. The newest is in force; none is ever changed."""

    version = models.PositiveIntegerField(unique=True)
    document = models.JSONField()
    author = models.CharField(max_length=150)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-version"]

    def __str__(self) -> str:
        return f"policy {self.version}"


class Rollout(models.Model):
    """To which share of conversations a feature reaches. The newest line of a feature is in force; none is changed."""

    number = models.PositiveIntegerField(unique=True)
    feature = models.CharField(max_length=40)
    share = models.PositiveSmallIntegerField(help_text="Per cent of conversations.")
    settings = models.JSONField(default=dict)
    author = models.CharField(max_length=150)
    note = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        indexes = [models.Index(fields=["feature", "-number"], name="rollout_newest")]

    def __str__(self) -> str:
        return f"{self.feature} to {self.share} %"
