"""Publishes the example flows that are not there yet."""

from django.core.management.base import BaseCommand

from flows.services.examples import load_examples


class Command(BaseCommand):
    help = "Publishes the example flows; one whose name is taken is left alone."

    def handle(self, *args: object, **options: object) -> None:
        for version in load_examples():
            self.stdout.write(f"{version.flow.slug} v{version.version}")
