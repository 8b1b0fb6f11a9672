"""`manage.py rotate_signing_key`: a new key signs from now on and vouches for the old one."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from audit.errors import LedgerError
from audit.services.keys import rotate


class Command(BaseCommand):
    help = "Retires the ledger's signing key for a new one. Restart every process afterwards."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rotate(now=timezone.now())
        except LedgerError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"the new key is in {settings.LASTWORD_SIGNING_KEY_FILE}; restart every process")
        if os.environ.get("LASTWORD_SIGNING_KEY"):
            self.stdout.write("LASTWORD_SIGNING_KEY is set and still holds the old key: replace or unset it")
