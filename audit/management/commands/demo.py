"""Loads the demo and says how to get in."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from audit.demo import stage
from audit.demo.broken_copy import copies
from audit.demo.past import tell_the_past


class Command(BaseCommand):
    help = "Loads the demo: a login, flows, a shop, and two weeks of conversations."

    def handle(self, *args: object, **options: object) -> None:
        if not settings.LASTWORD_DEMO:
            raise CommandError("DEMO is 0: the demo is not loaded into this database.")
        self.stdout.write("Loading the demo ...")
        told = tell_the_past(stage.set_up())
        if told:
            self.stdout.write(f"  {told} past conversations")
        forged = copies()[1]
        if forged.exists():
            self.stdout.write(f"  a forged copy of one of them: python client/verify_bundle.py {forged}")
        self.stdout.write(f"Demo login: {stage.USERNAME} / {stage.PASSWORD}")
