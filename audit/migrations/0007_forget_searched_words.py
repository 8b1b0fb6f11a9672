from django.db import migrations


def forget(apps, schema_editor):
    """Searches noted before kept their words: what was looked for is taken out, that somebody searched stays."""
    apps.get_model("conversations", "AccessLog").objects.filter(what="search").update(about="")


class Migration(migrations.Migration):

    dependencies = [
        ("audit", "0006_loop_cases"),
        ("conversations", "0016_looks_of_every_kind"),
    ]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
