"""`GET /metrics` at the root: Prometheus' text format, for the key of a router, an operator or an auditor."""

import os
from collections.abc import Iterator

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from rest_framework.request import Request
from rest_framework.views import APIView

from audit.selectors.vitals import vitals
from conversations.api import roles


class Vitals:
    """What the database says, read anew for every scrape: the same whichever process answers."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for vital in vitals(now=timezone.now()):
            labels = [vital.label] if vital.label else []
            family = GaugeMetricFamily(f"lastword_{vital.name}", vital.meaning, labels=labels)
            for label, value in vital.values.items():
                family.add_metric([label] if labels else [], value)
            yield family


class ExpositionView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        registry = CollectorRegistry()
        registry.register(Vitals())
        return HttpResponse(generate_latest(registry) + of_the_processes(), content_type=CONTENT_TYPE_LATEST)


def of_the_processes() -> bytes:
    """What this process counted, or all of them where they share a folder."""
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return bytes(generate_latest(REGISTRY))
    shared = CollectorRegistry()
    MultiProcessCollector(shared)
    return bytes(generate_latest(shared))
