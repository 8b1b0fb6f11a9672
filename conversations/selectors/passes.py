"""Who is behind a socket, and what they may still watch: asked for all sockets of a process at once."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone

from conversations.access import WATCHES_OF_A_KEY, WATCHES_OF_A_PERSON, Watch, roles_of, second_step
from conversations.models import ApiKey
from conversations.selectors.two_factor import devices_of


@dataclass(frozen=True, slots=True)
class Pass:
    """What a socket was opened with: a key's ticket, or a person's login."""

    key_id: int | None = None
    user_id: int | None = None
    session_key: str = ""
    login_hash: str = ""
    device: str = ""
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """The bearer of a pass that is still good."""

    name: str
    watches: frozenset[Watch]
    participant_id: UUID | None = None


def holders_of(passes: Collection[Pass]) -> dict[Pass, Holder]:
    """The holder of each pass that is still good; a pass that is not here no longer opens anything."""
    return {**_key_holders(passes), **_people(passes)}


def _key_holders(passes: Collection[Pass]) -> dict[Pass, Holder]:
    wanted = {each.key_id: each for each in passes if each.key_id is not None}
    if not wanted:
        return {}
    keys = ApiKey.objects.filter(pk__in=wanted, revoked_at=None).select_related("participant", "user")
    return {
        wanted[key.pk]: Holder(_name_of(key), WATCHES_OF_A_KEY.get(key.role, frozenset()), key.participant_id)
        for key in keys
        if key.user is None or key.user.is_active
    }


def _name_of(key: ApiKey) -> str:
    if key.participant is not None:
        return str(key.participant.handle)
    return str(key.user.get_username() if key.user is not None else key.name)


def _people(passes: Collection[Pass]) -> dict[Pass, Holder]:
    wanted = [each for each in passes if each.user_id is not None]
    if not wanted:
        return {}
    now = timezone.now()
    sessions = Session.objects.filter(session_key__in={each.session_key for each in wanted}, expire_date__gt=now)
    alive = set(sessions.values_list("session_key", flat=True))
    users = get_user_model().objects.filter(is_active=True).prefetch_related("groups")
    known = users.in_bulk({each.user_id for each in wanted})
    devices = devices_of(known)
    found: dict[Pass, Holder] = {}
    for each in wanted:
        user = known.get(each.user_id)
        in_time = each.ends_at is None or now < each.ends_at
        # the hash changes with the password: whoever was logged in with the old one is out
        if user and in_time and each.session_key in alive and user.get_session_auth_hash() == each.login_hash:
            roles, theirs = roles_of(user), devices.get(user.pk, frozenset())
            if each.device in theirs or second_step(roles, has_device=bool(theirs)) is None:
                watches = frozenset().union(*(WATCHES_OF_A_PERSON[role] for role in roles))
                found[each] = Holder(user.get_username(), watches)
    return found
