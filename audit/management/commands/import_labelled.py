"""`manage.py import_labelled FILE.jsonl`: measure on your own traces on day one."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from audit.services.imports import import_traces
from guards.management.commands.evaluate_loops import labelled_rows


class Command(BaseCommand):
    help = "Judges labelled traces ({id, source, label, onset?, steps} a line) and shows them on the accuracy screen."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.jsonl")

    def handle(self, *args: Any, **options: Any) -> None:
        imported = import_traces(labelled_rows(options["file"]), now=timezone.now())
        self.stdout.write(f"{imported} traces imported")
