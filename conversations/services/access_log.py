"""Looking leaves a trace of its own."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from conversations.models import AccessLog, ApiKey, Relationship, Role

# A page that is watched live asks again and again; that is one look.
ONE_LOOK = timedelta(minutes=5)
# Keys people read with; a router carries the talk itself, and a participant reads its own.
READERS = frozenset({Role.AUDITOR, Role.OPERATOR})
MAX_ABOUT = 300


def record_look(*, user: Any, what: str, relationship: Relationship | None = None, about: str = "") -> None:
    """Notes who looked; looking on within five minutes is the same look."""
    note(what=what, relationship=relationship, about=about[:MAX_ABOUT], user=user)


def record_read(caller: ApiKey, *, what: str, relationship: Relationship | None = None, about: str = "") -> None:
    """The same for somebody who reads through the API: the person behind the key, else the key itself."""
    if caller.role in READERS:
        reader = {"user": caller.user} if caller.user else {"key": caller}
        note(what=what, relationship=relationship, about=about[:MAX_ABOUT], **reader)


def note(**look: Any) -> None:
    now = timezone.now()
    if not AccessLog.objects.filter(**look, at__gt=now - ONE_LOOK).exists():
        AccessLog.objects.create(**look, at=now)
