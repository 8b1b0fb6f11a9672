from django.db import models

from conversations.domain.relationship import ConversationState
from conversations.models.relationship import Relationship


class ClosedManager(models.Manager["Closure"]):
    def get_queryset(self) -> models.QuerySet["Closure"]:
        return super().get_queryset().filter(conversation_state=ConversationState.CLOSED)


class Closure(Relationship):
    """A relationship that has ended: the same rows, seen from their end."""

    objects = ClosedManager()

    class Meta:
        proxy = True
        ordering = ["-closed_at", "-id"]

    def __str__(self) -> str:
        return f"{self.closure_type} of {str(self.pk)[:8]}"
