"""Credentials as callers present them."""

import hashlib

from django.db.models import F, QuerySet

from conversations.domain.errors import NotFoundError
from conversations.models import ApiKey
from conversations.prepared import Prepared


def digest_of(key: str) -> str:
    """Keys are random and long, so a plain digest is enough to store."""
    return hashlib.sha256(key.encode()).hexdigest()


def bearer_of(authorization: str) -> str:
    """The key in an `Authorization` header; empty where there is none."""
    scheme, _, key = authorization.partition(" ")
    return key if scheme.lower() == "bearer" else ""


def active_of_digest(digest: str) -> QuerySet[ApiKey]:
    # the commonest statement there is: no joins, since most keys have neither a participant nor a user
    return ApiKey.objects.filter(digest=digest, revoked_at=None).order_by()


ACTIVE: Prepared[ApiKey] = Prepared(active_of_digest, digest=(ApiKey._meta.get_field("digest"), digest_of("")))


def active_key(key: str) -> ApiKey | None:
    """The record of a key that still opens anything: not revoked, and its user, if it has one, not disabled."""
    found = next(iter(ACTIVE.rows(digest=digest_of(key))), None)
    return None if found is None or (found.user_id is not None and not found.user.is_active) else found


def api_keys() -> list[ApiKey]:
    """Every key there is or was: what still opens something first, by name."""
    keys = ApiKey.objects.select_related("participant", "user")
    return list(keys.order_by(F("revoked_at").asc(nulls_first=True), "name", "pk"))


def api_key_by(key_id: int) -> ApiKey:
    found = ApiKey.objects.filter(pk=key_id).first()
    if found is None:
        raise NotFoundError("There is no such key.")
    return found
