"""People with a login: making them, what they may do, switching them off."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.auth.tokens import default_token_generator
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from conversations.access import ConsoleRole
from conversations.domain.errors import ConversationError, InvalidTermsError, NotFoundError
from conversations.services import two_factor
from conversations.services.sessions import end_sessions


class LastAdministratorError(ConversationError):
    code = "last_administrator"
    title = "Somebody must remain who can administer"


class YourselfError(ConversationError):
    code = "yourself"
    title = "You cannot do this to yourself"


def create_person(*, username: str, full_name: str = "", email: str = "", roles: Collection[str], by: Any) -> Any:
    """A person without a password: a link of `password_link` lets them choose one."""
    first, _, last = full_name.strip().partition(" ")
    user = get_user_model()(username=username, first_name=first, last_name=last, email=email, is_staff=True)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as refusal:
        field, [message, *_] = next(iter(refusal.message_dict.items()))
        raise InvalidTermsError(field=field, code="invalid", message=message) from refusal
    with transaction.atomic():
        user.save()
        user.groups.set(groups(roles))
        noted(user, by, f"made: {', '.join(sorted(roles)) or 'no role'}")
    return user


def set_roles(*, person_id: int, roles: Collection[str], by: Any) -> Any:
    """Exactly these roles. They hold from the next request on, and for open sockets within seconds."""
    with changing(person_id) as user:
        if ConsoleRole.ADMIN not in roles:
            check_not_yourself(user, by)
            check_others_administer(user)
            user.is_superuser = False
        user.is_staff = True
        user.save(update_fields=["is_superuser", "is_staff"])
        user.groups.set(groups(roles))
        noted(user, by, f"roles: {', '.join(sorted(roles)) or 'none'}")
        return user


def disable(*, person_id: int, by: Any) -> Any:
    """Ends logins, sockets and keys of this person at once, and opens nothing any more."""
    with changing(person_id) as user:
        check_not_yourself(user, by)
        check_others_administer(user)
        user.is_active = False
        user.save(update_fields=["is_active"])
        end_sessions(user)
        noted(user, by, "disabled")
        return user


def enable(*, person_id: int, by: Any) -> Any:
    """Lets somebody in again, who then has to log in."""
    with changing(person_id) as user:
        user.is_active = True
        user.save(update_fields=["is_active"])
        noted(user, by, "enabled")
        return user


def reset_two_factor(*, person_id: int, by: Any) -> Any:
    """For who lost the app and the codes: ends their logins, and the next one sets it up anew."""
    with changing(person_id) as user:
        check_not_yourself(user, by)
        two_factor.remove(user)
        noted(user, by, "two-factor reset")
        return user


def password_link(*, person_id: int, by: Any) -> tuple[str, str]:
    """Who and token of a link for choosing a password: works once, for a day, and ends with the next login."""
    with changing(person_id) as user:
        if not user.is_active:
            raise InvalidTermsError(field="person", code="disabled", message="Let them in again first.")
        noted(user, by, "link for a password")
        return urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)


@contextmanager
def changing(person_id: int) -> Iterator[Any]:
    """One change at a time: of two administrators who disable each other, one comes too late."""
    with transaction.atomic():
        Group.objects.select_for_update().filter(name=ConsoleRole.ADMIN).first()
        user = get_user_model().objects.filter(pk=person_id).first()
        if user is None:
            raise NotFoundError("There is nobody by that number.")
        yield user


def groups(roles: Collection[str]) -> list[Group]:
    if unknown := set(roles) - set(ConsoleRole):
        raise InvalidTermsError(field="roles", code="unknown_role", message=f"No such role: {', '.join(unknown)}.")
    return [Group.objects.get_or_create(name=role)[0] for role in roles]


def check_not_yourself(user: Any, by: Any) -> None:
    if user.pk == by.pk:
        raise YourselfError("Ask another administrator: nobody locks themselves out.")


def check_others_administer(user: Any) -> None:
    """Somebody else who can log in must be left to administer."""
    administers = Q(is_superuser=True) | Q(groups__name=ConsoleRole.ADMIN)
    if not get_user_model().objects.filter(administers, is_active=True).exclude(pk=user.pk).exists():
        raise LastAdministratorError("This is the last administrator. Name another one first.")


def noted(user: Any, by: Any, what: str) -> None:
    """Who changed what about whom, in the admin's own log."""
    LogEntry.objects.create(
        user_id=by.pk,
        content_type=ContentType.objects.get_for_model(user),
        object_id=str(user.pk),
        object_repr=user.get_username(),
        action_flag=CHANGE,
        change_message=what,
    )
