"""Prints a new API key, alone, on standard output: it is shown this once."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from conversations.domain.errors import ConversationError
from conversations.models import Role
from conversations.services.api_keys import create_api_key


class Command(BaseCommand):
    help = "Makes an API key and prints it once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument("--participant", help="the participant a participant key is bound to")
        parser.add_argument("--user", help="the user an operator key acts as")

    def handle(self, *args: object, **options: str) -> None:
        try:
            _, key = create_api_key(
                name=options["name"],
                role=options["role"],
                participant_handle=options["participant"],
                username=options["user"],
            )
        except ConversationError as problem:
            raise CommandError(problem.detail) from problem
        self.stdout.write(key)
