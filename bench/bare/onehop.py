"""The bare view behind the one-hop handler."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "bench.bare.settings"

import django

django.setup()

from django.conf import settings

from config.onehop import OneHop

application = OneHop(threads=settings.LASTWORD_THREADS, queue_limit=1_000, body_limit=settings.LASTWORD_BODY_LIMIT)
