from django.db import models


class Dialogue(models.Model):
    """Where an assistant conversation stands (seed 002): the schema's document, and the columns beside it (D5)."""

    relationship = models.OneToOneField("Relationship", models.PROTECT, primary_key=True, related_name="dialogue")
    conversation_state = models.JSONField()
    query = models.TextField(null=True)  # noqa: DJ001 no live query is not an empty one
    shown_ids = models.JSONField(default=list)
    repeat_count = models.PositiveIntegerField(default=0)
    error_count = models.PositiveIntegerField(default=0)
    handoff_reason = models.CharField(max_length=100, null=True)  # noqa: DJ001 as above
    last_message_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"dialogue of {self.relationship_id}"
