"""The environment alone chooses the stack, and nothing unsafe starts. Each case is a process of its own."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

PRODUCTION = {"DATABASE_URL": "postgres://nowhere.invalid/lastword", "REDIS_URL": "redis://nowhere.invalid:6379/0"}
SECRET = {"LASTWORD_SECRET_KEY": "kJ3-long-enough-and-made-for-this-test-alone-0123456789"}
OURS = ("LASTWORD_", "DATABASE_URL", "REDIS_URL", "DEMO", "HOST", "PORT", "DJANGO_")


def python(data: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    own = {"LASTWORD_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, *arguments],
        env={**inherited, **own, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def setting(data: Path, expression: str, **environment: str) -> str:
    """What a process sees, or the last line it dies with."""
    done = python(data, "-c", f"from django.conf import settings; print({expression})", **environment)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


CHOICE = "settings.EMBEDDED, settings.DATABASES['default']['ENGINE'], settings.CELERY_BROKER_URL"


def test_without_variables_everything_lives_in_the_data_folder(tmp_path: Path) -> None:
    data = tmp_path / "new" / "folder"
    assert setting(data, CHOICE) == "True config.sqlite memory://localhost"
    secret = data / "secret_key"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    first, second = [setting(tmp_path, "settings.SECRET_KEY") for _ in range(2)]
    assert first == second
    assert len(first) >= 50


def test_two_addresses_choose_production(tmp_path: Path) -> None:
    shown = setting(tmp_path, CHOICE, **PRODUCTION, **SECRET)
    assert shown == "False django.db.backends.postgresql redis://nowhere.invalid:6379/0"


@pytest.mark.parametrize("given", PRODUCTION)
def test_half_a_production_stack_is_refused(tmp_path: Path, given: str) -> None:
    missing = next(name for name in PRODUCTION if name != given)
    assert f"environment variable {missing}: is not set" in setting(
        tmp_path, "settings.DEBUG", **{given: PRODUCTION[given]}, **SECRET
    )


@pytest.mark.parametrize("key", ["", "short", "a" * 80, "django-insecure-0123456789abcdefghijklmnopqrstuvwxyz-0123"])
def test_production_does_not_start_without_a_secret_of_its_own(tmp_path: Path, key: str) -> None:
    refusal = setting(tmp_path, "settings.DEBUG", **PRODUCTION, LASTWORD_SECRET_KEY=key)
    assert "environment variable LASTWORD_SECRET_KEY" in refusal
    assert not (tmp_path / "secret_key").exists()


def test_production_takes_the_secret_that_setup_put_into_the_data_folder(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "config.secrets", str(tmp_path / "secret_key")], cwd=ROOT, check=True)
    assert setting(tmp_path, "len(settings.SECRET_KEY) > 50", **PRODUCTION) == "True"


def test_djangos_deployment_check_finds_nothing_in_production(tmp_path: Path) -> None:
    check = ("manage.py", "check", "--deploy", "--tag", "security", "--fail-level", "WARNING")
    done = python(tmp_path, *check, **PRODUCTION, **SECRET)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_the_deployment_check_says_when_a_password_alone_is_enough(tmp_path: Path) -> None:
    check = ("manage.py", "check", "--deploy", "--tag", "security", "--fail-level", "WARNING")
    done = python(tmp_path, *check, **PRODUCTION, **SECRET, LASTWORD_TWO_FACTOR="0")
    assert done.returncode == 1
    assert "lastword.W001" in done.stderr


@pytest.mark.parametrize(
    ("environment", "required"),
    [({}, False), ({"DEMO": "0"}, True), (PRODUCTION | SECRET, True), (PRODUCTION | SECRET | {"DEMO": "1"}, True)],
    ids=["the demo on one's own machine", "embedded without the demo", "production", "production with the demo"],
)
def test_only_the_embedded_demo_does_without_a_second_factor(
    tmp_path: Path, environment: dict[str, str], required: bool
) -> None:
    assert setting(tmp_path, "settings.LASTWORD_TWO_FACTOR", **environment) == str(required)


def test_a_wrong_number_stops_the_start_and_is_named(tmp_path: Path) -> None:
    assert "environment variable LASTWORD_RATE_LIMIT" in setting(tmp_path, "settings.DEBUG", LASTWORD_RATE_LIMIT="many")
