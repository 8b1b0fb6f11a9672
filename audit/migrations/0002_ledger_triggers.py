"""A leaf for every event, and tables that refuse to change (reliability.md, the ledger, points 4 and 5)."""

from django.db import migrations

from audit import ledger_triggers


def install(apps, schema_editor):
    ledger_triggers.adopt_events(schema_editor.connection)
    ledger_triggers.install(schema_editor.connection)


def lift(apps, schema_editor):
    ledger_triggers.lift(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial"), ("conversations", "0002_ledger_triggers")]
    operations = [migrations.RunPython(install, lift)]
