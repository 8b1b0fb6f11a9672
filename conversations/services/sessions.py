"""Ending somebody's logins."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone


def end_sessions(user: Any) -> int:
    """Ends every login of this person, on every device; how many there were.

    A session names its person only inside; there are as many as people logged in, so looking at each is cheap.
    """
    alive = Session.objects.filter(expire_date__gt=timezone.now())
    theirs = [session.pk for session in alive if session.get_decoded().get(SESSION_KEY) == str(user.pk)]
    return Session.objects.filter(pk__in=theirs).delete()[0]
