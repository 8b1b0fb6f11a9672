from django.db import migrations, models

ROLES = ("viewer", "operator", "editor", "auditor", "admin")


def make_groups(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    for name in ROLES:
        Group.objects.get_or_create(name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("conversations", "0013_outbox_waiting"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="last_used_at",
            field=models.DateTimeField(blank=True, help_text="To the minute.", null=True),
        ),
        # kept on the way back: people may belong to them
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
