from django.db import models


class CannedReply(models.Model):
    """A text an operator calls up by typing its shortcut after a slash."""

    shortcut = models.SlugField(max_length=40, unique=True, help_text="What is typed after the slash.")
    text = models.TextField(max_length=10_000)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["shortcut"]
        verbose_name_plural = "canned replies"

    def __str__(self) -> str:
        return f"/{self.shortcut}"
