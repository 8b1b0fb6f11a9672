"""An authenticator app and a browser with a password, for tests of the second step."""

import time

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

PASSWORD = "correct horse battery staple"
ENROL, CODE = "/admin/console/two-factor/enrol", "/admin/console/two-factor/code"


def person(name: str, *roles: str) -> Client:
    """Somebody new, at a browser where the password was just typed."""
    user = get_user_model().objects.create_user(name, password=PASSWORD, is_staff=True)
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    return log_in(name)


def log_in(name: str) -> Client:
    browser = Client()
    browser.post(reverse("admin:login"), {"username": name, "password": PASSWORD})
    return browser


def code_of(name: str, *, ahead: int = 0) -> str:
    """What the app shows now, or shows in so many half minutes; the door allows for a clock one step off."""
    device = TOTPDevice.objects.filter(user__username=name).latest("pk")
    app = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    app.time = time.time() + ahead * device.step
    return f"{app.token():06d}"


def enrolled(name: str, *roles: str) -> tuple[Client, list[str]]:
    """Somebody who has set up an app, in the browser it was done in; and the recovery codes."""
    browser = person(name, *roles)
    browser.post(ENROL)
    done = browser.post(ENROL, {"code": code_of(name)})
    return browser, done.context["codes"]


def wait_over(name: str) -> None:
    """Time passes: what was typed wrong before no longer slows the next try down."""
    TOTPDevice.objects.filter(user__username=name).update(throttling_failure_timestamp=None, throttling_failure_count=0)
