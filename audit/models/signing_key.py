from django.db import models


class SigningKey(models.Model):
    """The public half of a key that signed this log. The private half is never in the database.

    A retired key is vouched for by its successor, so that whoever trusts the present key trusts the old notes too,
    and a row slipped in by somebody else is trusted by nobody.
    """

    public_key = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    successor = models.CharField(max_length=64, blank=True)
    voucher = models.CharField(max_length=128, blank=True, help_text="The successor's signature on this key.")

    def __str__(self) -> str:
        return f"{self.public_key[:16]}… ({'retired' if self.voucher else 'in use'})"
