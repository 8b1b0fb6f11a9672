"""The ASGI entry point: HTTP to Django's sync chain, websockets to Channels, lifespan to our services."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings
from django.urls import get_resolver

from config.application import Application
from config.celery import app as celery
from config.datalock import DataLock
from config.embedded import EmbeddedCelery
from config.lifespan import Lifespan, Service
from config.onehop import OneHop
from config.websockets import build as build_websockets
from conversations.consumers.runtime import LiveSockets
from conversations.services.broadcast import bind_loop

http = OneHop(
    threads=settings.LASTWORD_THREADS,
    queue_limit=settings.LASTWORD_QUEUE_LIMIT,
    body_limit=settings.LASTWORD_BODY_LIMIT,
)


def load_addresses() -> None:
    """Import every view before the first request comes, instead of while it waits."""
    get_resolver().url_patterns  # noqa: B018 a cached property, loaded by reading it


def services() -> list[Service]:
    """In the order of their start; embedded mode has Celery in the process, and only one process."""
    requests = Service("requests", start=lambda: None, stop=lambda: http.close(settings.LASTWORD_GRACE_SECONDS))
    if not settings.EMBEDDED:
        return [requests]
    lock = DataLock(settings.LASTWORD_DATA / "server.lock")
    background = EmbeddedCelery(celery, settings.LASTWORD_WORKER_THREADS)
    return [
        Service("data lock", lock.acquire, lock.release),
        Service("background tasks", background.start, background.stop),
        requests,
    ]


application = Application(
    http=http,
    websocket=build_websockets(),
    lifespan=Lifespan(services(), bind_loop, LiveSockets().run),
    needs_lifespan=settings.EMBEDDED,
)
