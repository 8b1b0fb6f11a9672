"""`manage.py audit_verify`: 0 the ledger is sound, 1 it was tampered with, 2 it could not be checked."""

import sys
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from audit.errors import LedgerError
from audit.services.verification import Report, verify

SOUND, TAMPERED, NOT_CHECKED = 0, 1, 2


class Command(BaseCommand):
    help = "Checks the ledger against itself, the signed checkpoints in and outside the database, and receipts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--relationship", type=UUID, metavar="ID", help="only this conversation")
        parser.add_argument(
            "--since-checkpoint", type=int, metavar="SIZE", help="only what was touched since this checkpoint"
        )
        parser.add_argument("--checkpoints", type=Path, metavar="FILE", help="the outside record to compare with")
        parser.add_argument("--receipts", type=Path, metavar="FILE", help="JSONL of {relationship, seq, hash}")
        parser.add_argument("--key", type=bytes.fromhex, metavar="HEX", help="the public key to trust")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = verify(
                relationship=options["relationship"],
                since_checkpoint=options["since_checkpoint"],
                checkpoint_file=options["checkpoints"],
                receipt_file=options["receipts"],
                anchor=options["key"],
            )
        except (DatabaseError, LedgerError) as problem:
            self.stderr.write(f"could not check: {problem}")
            sys.exit(NOT_CHECKED)
        sys.exit(self.tell(report))

    def tell(self, report: Report) -> int:
        self.stdout.write(
            f"{report.events} events of {report.relationships} relationships, {report.leaves} leaves, "
            f"{report.checkpoints} checkpoints, {report.receipts} receipts"
        )
        for finding in report.findings:
            self.stderr.write(f"TAMPERED {finding}")
        for reason in report.unchecked:
            self.stderr.write(f"could not check: {reason}")
        if report.findings:
            return TAMPERED
        if report.unchecked:
            return NOT_CHECKED
        self.stdout.write("sound")
        return SOUND
