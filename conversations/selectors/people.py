"""Everybody with a login, as an administrator sees them."""

from dataclasses import dataclass
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType

from conversations.access import must_enrol, roles_of
from conversations.domain.errors import NotFoundError
from conversations.models import ApiKey
from conversations.selectors.two_factor import devices_of

CHANGES = 20


@dataclass(frozen=True, slots=True)
class PersonRow:
    """`is_service`: made for a key, without a way to log in."""

    user: Any
    roles: list[str]
    enrolled: bool
    must_enrol: bool
    is_service: bool


def people() -> list[PersonRow]:
    """Who can log in first, by name; then the users that keys act as."""
    users = list(get_user_model().objects.prefetch_related("groups").order_by("username"))
    devices = devices_of([user.pk for user in users])
    rows = [row_of(user, enrolled=user.pk in devices) for user in users]
    return sorted(rows, key=lambda row: row.is_service)


def row_of(user: Any, *, enrolled: bool) -> PersonRow:
    roles = roles_of(user)
    return PersonRow(user, named_roles(user), enrolled, must_enrol(roles), not user.is_staff)


def named_roles(user: Any) -> list[str]:
    """The roles as they were given; a superuser's are those of an administrator."""
    names = {group.name for group in user.groups.all()}
    return sorted(names | ({"admin"} if user.is_superuser else set()))


def person_by(person_id: int) -> Any:
    user = get_user_model().objects.prefetch_related("groups").filter(pk=person_id).first()
    if user is None:
        raise NotFoundError("There is nobody by that number.")
    return user


def changes_of(user: Any) -> list[LogEntry]:
    """What administrators last changed about somebody."""
    kind = ContentType.objects.get_for_model(user)
    entries = LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).select_related("user")
    return list(entries.order_by("-action_time", "-pk")[:CHANGES])


def keys_of(user: Any) -> list[ApiKey]:
    return list(ApiKey.objects.filter(user=user, revoked_at=None))
