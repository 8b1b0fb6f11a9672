from django.db import models


class Product(models.Model):
    """Something the assistant can show. `id` is the shop's own."""

    id = models.CharField(primary_key=True, max_length=200)
    name = models.CharField(max_length=500)
    description = models.TextField(blank=True)
    price = models.DecimalField(max_digits=14, decimal_places=4, null=True)
    currency = models.CharField(max_length=3, blank=True)
    url = models.URLField(max_length=2000, blank=True)
    image_url = models.URLField(max_length=2000, blank=True)
    tags = models.JSONField(default=list)
    words = models.TextField(help_text="Name, tags and description as the search reads them.")
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["-updated_at", "-id"], name="product_newest")]

    def __str__(self) -> str:
        return self.name
