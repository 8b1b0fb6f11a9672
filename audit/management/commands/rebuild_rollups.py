"""`manage.py rebuild_rollups`: every figure counted again from the whole log."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from audit.services.rollups import rebuild
from audit.services.sequencer import sequence


class Command(BaseCommand):
    help = "Forgets the figures of the metrics screens and counts them again from the whole log."

    def handle(self, *args: Any, **options: Any) -> None:
        sequence(wait=True)
        self.stdout.write(f"{rebuild(now=timezone.now())} events counted")
