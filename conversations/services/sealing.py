"""Other systems' secrets at rest: sealed with a key derived from the site's own secret, opened only to be used."""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PURPOSE = b"lastword.sealed-secrets.v1"


def sealed(secret: str) -> str:
    """What may be stored."""
    return _box(_site_secrets()).encrypt(secret.encode()).decode() if secret else ""


def unsealed(stored: str) -> str:
    """The secret again. Raises `InvalidToken` where the site's secret is not the one it was sealed under."""
    return _box(_site_secrets()).decrypt(stored.encode()).decode() if stored else ""


def _site_secrets() -> tuple[str, ...]:
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(maxsize=4)
def _box(secrets: tuple[str, ...]) -> MultiFernet:
    """The first secret seals; older ones still open, so the site's secret can be changed."""
    return MultiFernet([Fernet(_derived(secret)) for secret in secrets])


def _derived(secret: str) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(secret.encode())
    return base64.urlsafe_b64encode(derived)
