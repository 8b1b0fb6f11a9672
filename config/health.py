"""Is the process up, and does everything it needs answer?"""

from collections.abc import Callable

import redis
import structlog
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from config.celery import app as celery
from config.errors import problem_response, read_only

log = structlog.get_logger("lastword.health")
SECONDS = 2.0


def database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def channel_layer() -> None:
    """Redis carries the layer between processes; inside one process it is a dictionary."""
    if settings.EMBEDDED:
        return
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
    with client:
        client.ping()


def broker() -> None:
    with celery.connection_for_write() as broker_connection:
        broker_connection.ensure_connection(max_retries=1, interval_start=0, timeout=SECONDS)


PARTS: dict[str, Callable[[], None]] = {
    "database": database,
    "channel_layer": channel_layer,
    "broker": broker,
}


@csrf_exempt  # a POST is the wrong method, not a forgery
@read_only
def healthz(_request: HttpRequest) -> HttpResponse:
    """The process is up. Touches nothing else: a slow database is no reason to restart it."""
    return JsonResponse({"status": "ok"})


@csrf_exempt  # a POST is the wrong method, not a forgery
@read_only
def readyz(_request: HttpRequest) -> HttpResponse:
    """Every part answers; otherwise 503, naming the parts that do not."""
    failing = []
    for name, check in PARTS.items():
        try:
            check()
        except Exception:
            log.exception("a part does not answer", part=name)
            failing.append(name)
    if failing:
        return problem_response(503, "not_ready", f"No answer from: {', '.join(failing)}.", failing=failing)
    return JsonResponse({"status": "ready", "parts": list(PARTS)})
