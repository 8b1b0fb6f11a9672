"""People with a login, made and unmade in the server's own database."""

from tests.live_server import LiveServer

MAKE = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import Group
from django.contrib.sessions.backends.db import SessionStore
user = get_user_model().objects.create(username={name!r})
user.groups.add(*(Group.objects.get_or_create(name=role)[0] for role in {roles!r}))
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.create()
print("session", session.session_key)
"""


def login(server: LiveServer, name: str, *roles: str) -> str:
    """A person of these roles; the key of their session."""
    printed = server.manage("shell", "-v", "0", "-c", MAKE.format(name=name, roles=roles))
    return printed.split()[-1]


def run(server: LiveServer, code: str) -> None:
    """Something an administrator does."""
    header = (
        "from django.contrib.auth import get_user_model\nuser_named = get_user_model().objects.get_by_natural_key\n"
    )
    server.manage("shell", "-v", "0", "-c", header + code)
