"""The database refuses to change history (reliability.md, the ledger, point 4)."""

from django.db import migrations

from conversations import ledger_triggers


def install(apps, schema_editor):
    ledger_triggers.install(schema_editor.connection)


def lift(apps, schema_editor):
    ledger_triggers.lift(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("conversations", "0001_initial")]
    operations = [migrations.RunPython(install, lift)]
