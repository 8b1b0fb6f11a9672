from django.conf import settings
from django.db import models


class SavedView(models.Model):
    """A filter of the Live board under a name of its owner's; nobody else sees it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=40)
    query = models.CharField(max_length=3000, blank=True, help_text="The filters, as the address has them.")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="saved_view_once_per_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"
