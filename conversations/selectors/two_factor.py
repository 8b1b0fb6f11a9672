"""Whose second factor is set up, and what is left of it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from conversations.access import SecondStep, must_enrol, roles_of, second_step


@dataclass(frozen=True, slots=True)
class TwoFactor:
    """`required`: by their roles; `enrolled`: an app is set up; `recovery_codes`: how many are unused."""

    required: bool
    enrolled: bool
    recovery_codes: int


def two_factor_of(user: Any) -> TwoFactor:
    return TwoFactor(
        required=must_enrol(roles_of(user)),
        enrolled=app_of(user) is not None,
        recovery_codes=StaticToken.objects.filter(device__user=user, device__confirmed=True).count(),
    )


def app_of(user: Any, *, confirmed: bool = True) -> TOTPDevice | None:
    """The authenticator app somebody has set up, or is setting up."""
    return TOTPDevice.objects.filter(user=user, confirmed=confirmed).order_by("-pk").first()


def step_for(user: Any) -> SecondStep | None:
    """What somebody logged in with a password alone still owes."""
    return second_step(roles_of(user), has_device=app_of(user) is not None)


def devices_of(user_ids: Collection[int]) -> dict[int, frozenset[str]]:
    """The names of the confirmed devices of each of these people; who has none is not here."""
    found: dict[int, set[str]] = {}
    for model in (TOTPDevice, StaticDevice):
        devices: Collection[Device] = model.objects.filter(user_id__in=user_ids, confirmed=True)
        for device in devices:
            found.setdefault(device.user_id, set()).add(device.persistent_id)
    return {user_id: frozenset(names) for user_id, names in found.items()}
