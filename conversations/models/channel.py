import uuid

from django.db import models
from django.utils import timezone

from conversations.domain.relationship import Driver
from conversations.domain.times import WRONG_CLOCK


class Breaker(models.Model):
    """A circuit breaker kept in the row of whoever is called: all relays see one state."""

    failures = models.PositiveIntegerField(default=0, editable=False)
    open_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        abstract = True

    @property
    def resting(self) -> bool:
        """Whether everybody keeps off at this moment."""
        now = timezone.now()
        return self.open_until is not None and now < self.open_until < now + WRONG_CLOCK


class Channel(Breaker):
    """A Chatwoot inbox or a Slack workspace. Token and secret are stored sealed and never read back."""

    class Kind(models.TextChoices):
        CHATWOOT = "chatwoot"
        SLACK = "slack"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=100)
    base_url = models.CharField(max_length=2000, blank=True)
    account_id = models.PositiveBigIntegerField(null=True, blank=True)
    token_sealed = models.TextField(blank=True, editable=False)
    secret_sealed = models.TextField(editable=False)
    driver = models.CharField(max_length=20, default=Driver.ASSISTANT)
    flow = models.CharField(max_length=100, null=True, blank=True)  # noqa: DJ001 absent is not empty in the contract
    personas = models.JSONField(default=list, blank=True)
    enabled = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="channel_newest")]

    def __str__(self) -> str:
        return f"{self.name} ({self.kind})"

    @property
    def webhook_path(self) -> str:
        """Where the other side is to send its events."""
        return f"/api/v1/webhooks/{self.kind}/{self.pk}"

    @property
    def actor(self) -> str:
        """How the ledger's headers name what came through this channel."""
        return f"channel:{self.pk}"


class ChannelConversation(models.Model):
    """A conversation or thread over there, and a relationship it is or was here; the newest one is current."""

    channel = models.ForeignKey(Channel, models.PROTECT, related_name="conversations")
    external_id = models.CharField(max_length=200)
    relationship = models.OneToOneField("Relationship", models.PROTECT, related_name="channel_conversation")
    current = models.BooleanField(default=True)
    remote_status = models.CharField(max_length=20, blank=True, help_text="As the other side last told it.")
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["channel", "external_id"], condition=models.Q(current=True), name="one_current_conversation"
            ),
        ]
        indexes = [models.Index(fields=["channel", "external_id", "opened_at"], name="channel_conversation_past")]

    def __str__(self) -> str:
        return f"{self.external_id} of {self.channel_id}"

    @property
    def lane(self) -> str:
        """What is said here goes out one after another."""
        return f"{self.channel_id}/{self.external_id}"


class OwnMessage(models.Model):
    """What we said over there, by the id it got: how we know our own words when they come back."""

    channel = models.ForeignKey(Channel, models.PROTECT, related_name="own_messages")
    external_id = models.CharField(max_length=200)
    event = models.ForeignKey("Event", models.PROTECT, related_name="own_messages")
    persona = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["channel", "external_id"], name="own_message_once")]

    def __str__(self) -> str:
        return f"{self.external_id} by {self.persona or 'the bot'}"
