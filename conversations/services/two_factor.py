"""The second factor: an authenticator app, and codes on paper for when it is lost."""

from typing import Any

from django.db import transaction
from django_otp import verify_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from conversations.domain.errors import ConversationError
from conversations.selectors.two_factor import app_of
from conversations.services.sessions import end_sessions

RECOVERY = "recovery"
RECOVERY_CODES = 10
APP_DIGITS = 6


class WrongCodeError(ConversationError):
    code = "wrong_code"
    status = 403
    title = "That is not the code"


class NotSetUpError(ConversationError):
    code = "not_set_up"
    title = "Two-factor login is not set up"


def begin(user: Any) -> TOTPDevice:
    """A new secret for an app, which counts for nothing until a code of it was shown."""
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user, confirmed=False).delete()
        return TOTPDevice.objects.create(user=user, name="app", confirmed=False)


def confirm(user: Any, code: str) -> tuple[TOTPDevice, list[str]]:
    """The app, now that it has shown a code, in the place of any other; with the recovery codes to write down."""
    waiting = app_of(user, confirmed=False)
    if waiting is None:
        raise NotSetUpError("Start the set-up again.")
    if verify_token(user, waiting.persistent_id, digits_in(code)) is None:
        raise WrongCodeError("That is not the code the app shows now. Check the clock of the device, and try again.")
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user).exclude(pk=waiting.pk).delete()
        TOTPDevice.objects.filter(pk=waiting.pk).update(confirmed=True)
        return waiting, new_recovery_codes(user)


def check(user: Any, code: str) -> Device:
    """The device whose code this is: the app's, or a recovery code, which is used up. Each works once."""
    told = digits_in(code)
    app = app_of(user)
    is_of_app = len(told) == APP_DIGITS and told.isdigit()
    device = app if is_of_app else StaticDevice.objects.filter(user=user, confirmed=True).first()
    if device is None or app is None:
        raise WrongCodeError("That is not the code.")
    accepted = verify_token(user, device.persistent_id, told)
    if accepted is None:
        raise WrongCodeError("That is not the code, or it was used before. After several tries, wait a little.")
    return accepted


def new_recovery_codes(user: Any) -> list[str]:
    """Fresh codes; the old ones end here."""
    if app_of(user) is None:
        raise NotSetUpError("Set up an app first.")
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name=RECOVERY)
        codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def remove(user: Any) -> None:
    """Takes the second factor away and ends every login: who must have one sets it up anew at the next."""
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        end_sessions(user)


def digits_in(code: str) -> str:
    """A code as people write it: in groups, with dashes, in capitals."""
    return "".join(sign for sign in code if sign.isascii() and sign.isalnum()).lower()[:16]
