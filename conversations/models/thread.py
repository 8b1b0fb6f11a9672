from django.db import models

from conversations.domain.threads import ReplyState


class PersonaThread(models.Model):
    """A conversation personas answer in: what the guards look at, a projection of its events."""

    relationship = models.OneToOneField("Relationship", models.PROTECT, primary_key=True, related_name="thread")
    key = models.CharField(max_length=200, unique=True)
    turns = models.PositiveIntegerField(default=0)
    last_message_at = models.DateTimeField(null=True)
    last_message_seq = models.PositiveIntegerField(null=True)
    last_persona = models.CharField(max_length=200, null=True)  # noqa: DJ001 absent is not empty
    last_persona_seq = models.PositiveIntegerField(null=True)
    last_active_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["last_active_at"], name="thread_active")]

    def __str__(self) -> str:
        return f"thread {self.key}"


class ScheduledReply(models.Model):
    """A reply the guards allowed: when it is due and how far it got, a projection of its events."""

    id = models.UUIDField(primary_key=True, editable=False)
    thread = models.ForeignKey(PersonaThread, models.PROTECT, related_name="replies")
    persona = models.CharField(max_length=200)
    answers_event = models.CharField(max_length=200, help_text="The event id of the message it answers.")
    answers_seq = models.PositiveIntegerField()
    context = models.JSONField(help_text="What the guards saw when they decided.")
    owner_version = models.PositiveIntegerField()
    scheduled_at = models.DateTimeField()
    state = models.CharField(max_length=10, default=ReplyState.SCHEDULED)
    due_at = models.DateTimeField(help_text="When it is to be looked at next; while thinking, the end of the lease.")
    attempts = models.PositiveIntegerField(default=0)
    text = models.TextField(null=True)  # noqa: DJ001 an answer not yet known is not an empty one

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at", "id"], condition=models.Q(state__in=["scheduled", "thinking"]), name="reply_due"
            )
        ]

    def __str__(self) -> str:
        return f"reply of {self.persona} ({self.state})"
