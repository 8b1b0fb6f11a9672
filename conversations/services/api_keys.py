"""Making and taking away credentials. The key itself exists only in the answer to its making."""

import logging
import secrets
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import OperationalError, transaction
from django.utils import timezone

from conversations.domain.errors import InvalidTermsError
from conversations.models import ApiKey, Role
from conversations.selectors.api_keys import digest_of
from conversations.services.relationships import participant

PREFIX = "lw_"
ONE_USE = timedelta(minutes=1)
log = logging.getLogger(__name__)


def create_api_key(
    *, name: str, role: str, participant_handle: str | None = None, username: str | None = None
) -> tuple[ApiKey, str]:
    """A new key and its record. An operator's key belongs to a user: the named one, else a service user of its name."""
    check_binding(role=role, participant_handle=participant_handle)
    key = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        record = ApiKey.objects.create(
            name=name,
            role=role,
            prefix=key[:10],
            digest=digest_of(key),
            participant=participant(participant_handle) if participant_handle is not None else None,
            user=operator_user(username or name) if role == Role.OPERATOR else None,
        )
    return record, key


def check_binding(*, role: str, participant_handle: str | None) -> None:
    """A participant key speaks for somebody, and no other key does."""
    if (role == Role.PARTICIPANT) != (participant_handle is not None):
        raise InvalidTermsError(
            field="participant", code="required", message="A participant key, and only such a key, names a participant."
        )


def operator_user(username: str) -> object:
    """The user an operator key acts as; a service user has no password and cannot log in."""
    user, made = get_user_model().objects.get_or_create(username=username)
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def note_use(key: ApiKey, *, now: datetime) -> None:
    """That the key was used, at most once a minute; a request never fails for it."""
    if key.last_used_at is not None and now - key.last_used_at < ONE_USE:
        return
    try:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    except OperationalError as problem:
        log.warning("key_use_not_noted", extra={"problem": type(problem).__name__})


def revoke_api_key(key: ApiKey) -> None:
    """From the next request on, the key is unknown."""
    if key.revoked_at is None:
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
