from django.conf import settings
from django.db import models


class Role(models.TextChoices):
    ROUTER = "router"
    PARTICIPANT = "participant"
    EDITOR = "editor"
    AUDITOR = "auditor"
    OPERATOR = "operator"


class ApiKey(models.Model):
    """A credential. Only the digest is stored; the key itself is shown once, when it is made."""

    name = models.CharField(max_length=100)
    role = models.CharField(max_length=20, choices=Role)
    prefix = models.CharField(max_length=12, help_text="The first characters, to recognise a key by.")
    digest = models.CharField(max_length=64, unique=True)
    participant = models.ForeignKey("Participant", models.PROTECT, null=True, blank=True, related_name="keys")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="api_keys")
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role="participant", participant__isnull=False)
                | (~models.Q(role="participant") & models.Q(participant__isnull=True)),
                name="participant_key_is_bound",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.role}, {self.prefix}…)"

    @property
    def is_authenticated(self) -> bool:
        """DRF asks its `user` this; a key that was found is one."""
        return True

    @property
    def actor(self) -> str:
        """How the ledger's headers name who uses this key: the person or participant behind it, else the key."""
        if self.participant_id:
            return f"participant:{self.participant_id}"
        return f"user:{self.user_id}" if self.user_id else f"key:{self.pk}"
