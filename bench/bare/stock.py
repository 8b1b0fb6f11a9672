"""The bare view behind Django's own ASGI handler."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "bench.bare.stock_settings"

from django.core.asgi import get_asgi_application

application = get_asgi_application()
