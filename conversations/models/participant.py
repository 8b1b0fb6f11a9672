import uuid

from django.db import models


class Participant(models.Model):
    """Somebody or something that speaks. The handle is theirs (a DID, a phone number); the id is opaque."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    handle = models.CharField(max_length=200, unique=True)
    display_name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["handle"]

    def __str__(self) -> str:
        return self.display_name or self.handle

    @property
    def actor(self) -> str:
        """How the ledger's headers name this participant."""
        return f"participant:{self.id}"
