"""`manage.py erase_payloads RELATIONSHIP --basis TEXT [--seq N ...]`."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from conversations.domain.errors import ConversationError
from conversations.services.erasure import erase_payloads


class Command(BaseCommand):
    help = "Erases what was said in a conversation, all of it or single events; the chain keeps verifying."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("relationship", type=UUID)
        parser.add_argument("--basis", required=True, help="the legal basis; it is kept for good, so name nobody")
        parser.add_argument("--seq", type=int, nargs="+", help="only these events")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            marks = erase_payloads(
                relationship_id=options["relationship"],
                seqs=options["seq"],
                basis=options["basis"],
                by="command:erase_payloads",
                now=timezone.now(),
            )
        except ConversationError as refusal:
            raise CommandError(f"{refusal.code}: {refusal.detail}") from refusal
        self.stdout.write(f"{len(marks)} payloads erased")
