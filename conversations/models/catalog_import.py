from django.db import models


class CatalogImport(models.Model):
    """How far an unfinished import has come; a finished one leaves no row."""

    source = models.CharField(primary_key=True, max_length=2100)
    page = models.PositiveIntegerField()
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.source}, page {self.page}"
