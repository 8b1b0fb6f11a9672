"""Talks to a running server as simulated visitors, until it is stopped."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from audit.demo.stage import key_file
from audit.demo.visitors import keep_talking


class Command(BaseCommand):
    help = "Simulated visitors for the demo."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("base_url")

    def handle(self, *args: object, **options: str) -> None:
        if not key_file().exists():
            raise CommandError("There is no demo here: run `manage.py demo` first.")
        keep_talking(options["base_url"], key_file().read_text(encoding="ascii"))
