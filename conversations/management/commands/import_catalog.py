"""`manage.py import_catalog csv FILE` and `import_catalog woocommerce URL --key KEY --secret SECRET`."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from conversations.catalog_sources.csv_file import CsvFile
from conversations.catalog_sources.port import Source
from conversations.catalog_sources.woocommerce import WooCommerce
from conversations.services.catalog_import import import_catalog

SECRET_VARIABLE = "WOOCOMMERCE_SECRET"  # noqa: S105 the variable's name


class Command(BaseCommand):
    help = "Brings products into the assistant's catalogue; started again after a stop, it goes on from there."

    def add_arguments(self, parser: CommandParser) -> None:
        sources = parser.add_subparsers(dest="source", required=True)
        file = sources.add_parser("csv", help="a CSV file with a header of our field names")
        file.add_argument("file", type=Path)
        shop = sources.add_parser("woocommerce", help="a WooCommerce shop's REST API")
        shop.add_argument("url", help="the shop's address")
        shop.add_argument("--key", required=True, help="the consumer key (ck_…), read access is enough")
        shop.add_argument("--secret", help=f"the consumer secret (cs_…); better given in {SECRET_VARIABLE}")
        shop.add_argument("--currency", default="", help="the shop's currency, such as MAD: its products do not say")

    def handle(self, *args: Any, **options: Any) -> None:
        report = import_catalog(source_of(options))
        if report.first_page > 1:
            self.stdout.write(f"went on from page {report.first_page}")
        self.stdout.write(f"{report.imported} products imported")
        for refused in report.refused:
            self.stderr.write(str(refused))
        if report.refused_count > len(report.refused):
            self.stderr.write(f"… and {report.refused_count - len(report.refused)} more")
        if report.problem:
            raise CommandError(report.problem)
        if report.refused_count:
            raise CommandError(f"{report.refused_count} not imported; everything else is in")


def source_of(options: dict[str, Any]) -> Source:
    if options["source"] == "csv":
        return CsvFile(options["file"])
    secret = options["secret"] or os.environ.get(SECRET_VARIABLE)
    if not secret:
        raise CommandError(f"Give the consumer secret with --secret or in {SECRET_VARIABLE}.")
    return WooCommerce(
        url=options["url"],
        consumer_key=options["key"],
        consumer_secret=secret,
        currency=options["currency"],
        allow_private=settings.LASTWORD_ALLOW_PRIVATE_URLS,
    )
