from django.db import models


class Leaf(models.Model):
    """An event's place in the log. The database adds one with every event; the sequencer numbers it once."""

    event = models.OneToOneField("conversations.Event", models.PROTECT, primary_key=True, related_name="leaf")
    hash = models.CharField(max_length=64, help_text="The event's hash, copied when the event was written.")
    index = models.PositiveBigIntegerField(null=True, unique=True, help_text="Null until numbered.")

    class Meta:
        indexes = [models.Index(fields=["event"], condition=models.Q(index__isnull=True), name="leaf_unnumbered")]

    def __str__(self) -> str:
        return f"leaf {self.index} of event {self.event_id}"
