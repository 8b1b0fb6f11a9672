from django.db import models


class IdempotencyRecord(models.Model):
    """The stored answer to one POST of one caller, committed together with its effect."""

    caller = models.CharField(max_length=64, help_text="Digest of the credential, so keys of two callers never meet.")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    content_type = models.CharField(max_length=100, default="")
    body = models.TextField(default="")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["caller", "key"], name="idempotency_once")]
        indexes = [models.Index(fields=["created_at"], name="idempotency_age")]

    def __str__(self) -> str:
        return f"{self.key} ({self.status})"
