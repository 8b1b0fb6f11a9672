"""The Celery application; tasks are found in the apps' `tasks` modules."""

import os

from config.task_log import LoggingCelery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = LoggingCelery("lastword")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
