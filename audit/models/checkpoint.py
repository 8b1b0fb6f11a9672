from django.db import models


class Checkpoint(models.Model):
    """A signed root of the log; the note is what was signed, verbatim."""

    size = models.PositiveBigIntegerField(unique=True)
    root = models.CharField(max_length=64)
    note = models.TextField()
    key_id = models.CharField(max_length=8)
    created_at = models.DateTimeField()
    posted_at = models.DateTimeField(null=True, help_text="When the outside address took it.")

    class Meta:
        ordering = ["-size"]

    def __str__(self) -> str:
        return f"checkpoint at {self.size}"
