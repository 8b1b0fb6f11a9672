import uuid

from django.db import models
from django.utils import timezone

from conversations.models.channel import Breaker


class WebhookSubscription(Breaker):
    """Somebody who wants to be told of events: an address, which events, and a sealed secret to sign with."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.CharField(max_length=2000)
    events = models.JSONField(default=list, help_text="Event types, prefixes ending in *, or * for all.")
    secret_sealed = models.TextField(editable=False)
    enabled = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="subscription_newest")]

    def __str__(self) -> str:
        return f"subscription {str(self.id)[:8]}"
