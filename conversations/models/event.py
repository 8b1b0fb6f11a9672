from django.db import models


class Event(models.Model):
    """An immutable header without personal data. The database itself refuses to change or delete one."""

    relationship = models.ForeignKey("Relationship", models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=120)
    at = models.DateTimeField()
    actor = models.CharField(max_length=100)
    commitment = models.CharField(max_length=64)
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    header = models.TextField(help_text="The canonical header that was hashed, verbatim.")

    class Meta:
        ordering = ["relationship", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["relationship", "seq"], name="event_once_per_seq"),
            models.UniqueConstraint(fields=["relationship", "prev_hash"], name="event_once_per_link"),
        ]
        indexes = [models.Index(fields=["type", "at"], name="event_type_at")]

    def __str__(self) -> str:
        return f"{self.type} #{self.seq}"


class EventPayload(models.Model):
    """The erasable half: the canonical content, verbatim, and the salt of its commitment."""

    event = models.OneToOneField(Event, models.PROTECT, primary_key=True, related_name="payload")
    salt = models.BinaryField()
    text = models.TextField()

    def __str__(self) -> str:
        return f"payload of {self.event_id}"
