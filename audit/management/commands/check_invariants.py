"""`manage.py check_invariants [--receipts FILE] [--drained]`: 0 all hold, 1 some do not, 2 could not be checked."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from audit.errors import LedgerError
from audit.services.invariants import violations

HOLD, VIOLATED, NOT_CHECKED = 0, 1, 2


class Command(BaseCommand):
    help = "Checks what must hold after every fault: chains, depth, closure, expiry, effects, columns, log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--receipts", type=Path, metavar="FILE", help="JSONL of {relationship, seq, hash}")
        parser.add_argument("--drained", action="store_true", help="the outbox must be empty, too")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = violations(receipts=options["receipts"], drained=options["drained"])
        except (DatabaseError, LedgerError) as problem:
            self.stderr.write(f"could not check: {problem}")
            sys.exit(NOT_CHECKED)
        for violation in found:
            self.stderr.write(f"VIOLATED {violation}")
        if found:
            sys.exit(VIOLATED)
        self.stdout.write("all invariants hold")
