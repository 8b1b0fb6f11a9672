from django.conf import settings
from django.db import models
from django.db.models import Q


class AccessLog(models.Model):
    """Who looked at what. Beside the chain, never in it: looking is not part of the talk."""

    class What(models.TextChoices):
        CONVERSATION = "conversation"
        INBOX = "inbox"
        TRAIL = "trail"
        VERIFICATION = "verification"
        EXPORT = "export"
        SEARCH = "search"
        PERSON = "person"
        CHECKPOINTS = "checkpoints"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="looks")
    key = models.ForeignKey("ApiKey", models.PROTECT, null=True, related_name="looks")
    relationship = models.ForeignKey("Relationship", models.PROTECT, null=True, related_name="looks")
    what = models.CharField(max_length=20, choices=What)
    about = models.CharField(max_length=300, blank=True, help_text="What was asked, where it is no one conversation.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [
            models.Index(fields=["relationship", "-at"], name="look_at_relationship"),
            models.Index(fields=["user", "-at"], name="look_of_user"),
            models.Index(fields=["key", "-at"], name="look_of_key"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(user__isnull=True) ^ Q(key__isnull=True), name="look_by_somebody")
        ]

    def __str__(self) -> str:
        return f"{self.user_id or self.key_id} looked at {self.relationship_id or self.about} ({self.what})"
