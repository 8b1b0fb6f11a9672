"""The people behind the ledger's opaque names, and back."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth import get_user_model

from conversations.models import ApiKey, Participant

MAX_DIGITS = 18
MOST = 10  # people one name may stand for; each is a query of its own


@dataclass(frozen=True, slots=True)
class SomebodyNamed:
    """Somebody a name stands for: `kind` is user, key or participant."""

    kind: str
    id: str
    name: str

    @property
    def actor(self) -> str:
        return f"{self.kind}:{self.id}"


def parties_named(name: str) -> list[UUID]:
    """Participants of that handle; where there is none, those whose handle begins so."""
    exact = list(Participant.objects.filter(handle=name).values_list("pk", flat=True))
    return exact or list(Participant.objects.filter(handle__startswith=name).values_list("pk", flat=True)[:MOST])


def people_named(name: str) -> list[SomebodyNamed]:
    """Everybody of that name: our own people, keys without a person, participants."""
    users = get_user_model().objects.filter(username=name).values_list("pk", "username")
    keys = ApiKey.objects.filter(name=name).values_list("pk", "name")[:MOST]
    parties = Participant.objects.filter(pk__in=parties_named(name)).values_list("pk", "handle")
    return [
        *(SomebodyNamed("user", str(pk), text) for pk, text in users),
        *(SomebodyNamed("key", str(pk), text) for pk, text in keys),
        *(SomebodyNamed("participant", str(pk), text) for pk, text in parties),
    ]


def actors_named(name: str) -> list[str]:
    """The ledger's names of everybody so named; one of those names itself means just that."""
    if name == "system" or name.partition(":")[0] in ("user", "key", "participant"):
        return [name]
    return [somebody.actor for somebody in people_named(name)]


def somebody(kind: str, id_: str) -> SomebodyNamed | None:
    """The person of one of the ledger's names, if there is one."""
    name: str | None = None
    if kind == "user" and is_number(id_):
        name = get_user_model().objects.filter(pk=id_).values_list("username", flat=True).first()
    elif kind == "key" and is_number(id_):
        name = ApiKey.objects.filter(pk=id_).values_list("name", flat=True).first()
    elif kind == "participant" and is_uuid(id_):
        name = Participant.objects.filter(pk=id_).values_list("handle", flat=True).first()
    return None if name is None else SomebodyNamed(kind, id_, name)


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def names_of(actors: Iterable[str]) -> dict[str, str]:
    """How people call these actors; what nobody knows is called as the ledger does."""
    ids: dict[str, set[str]] = {"user": set(), "key": set(), "participant": set()}
    for actor in actors:
        kind, _, id_ = actor.partition(":")
        if kind in ids and (is_uuid(id_) if kind == "participant" else is_number(id_)):
            ids[kind].add(id_)
    users = get_user_model().objects.filter(pk__in=ids["user"]).values_list("pk", "username")
    keys = ApiKey.objects.filter(pk__in=ids["key"]).values_list("pk", "name")
    parties = Participant.objects.filter(pk__in=ids["participant"]).values_list("pk", "handle")
    return {
        **{f"user:{pk}": name for pk, name in users},
        **{f"key:{pk}": name for pk, name in keys},
        **{f"participant:{pk}": name for pk, name in parties},
    }
