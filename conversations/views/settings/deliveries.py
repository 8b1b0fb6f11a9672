"""The delivery inspector: every webhook as it came, what was made of it and why, and working it once more."""

import json
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import ConsoleRole
from conversations.domain.errors import ConversationError
from conversations.models import Delivery
from conversations.selectors.channels import channels, deliveries, delivery_by
from conversations.services.deliveries import REPLAYABLE, replay
from conversations.views.settings.saving import found, told

ONE = "console:settings_delivery"
PAGE = 50
# Payloads are what people wrote: shown to who works with conversations.
INSPECTORS = frozenset({ConsoleRole.OPERATOR, ConsoleRole.AUDITOR, ConsoleRole.ADMIN})
REPLAYERS = frozenset({ConsoleRole.OPERATOR, ConsoleRole.ADMIN})


class DeliveriesView(View):
    roles = {"GET": INSPECTORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        asked = {"channel": request.GET.get("channel", ""), "status": request.GET.get("status", "")}
        known = list(channels())
        rows = deliveries()
        if asked["channel"] in {str(channel.pk) for channel in known}:
            rows = rows.filter(channel_id=asked["channel"])
        if asked["status"] in Delivery.Status.values:
            rows = rows.filter(status=asked["status"])
        kept = request.GET.copy()
        kept.pop("page", None)
        context = {
            "title": _("Deliveries"),
            "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
            "asked": asked,
            "channels": known,
            "statuses": Delivery.Status.values,
            "kept": kept.urlencode(),
        }
        return render(request, "console/settings/deliveries.html", context)


class DeliveryView(View):
    roles = {"GET": INSPECTORS}

    def get(self, request: HttpRequest, delivery_id: UUID) -> HttpResponse:
        delivery = found(lambda: delivery_by(delivery_id))
        context = {
            "title": _("Delivery"),
            "delivery": delivery,
            "payload": readable(bytes(delivery.body)),
            "duplicates": delivery.duplicates.defer("body"),
            "replayable": delivery.status in REPLAYABLE,
        }
        return render(request, "console/settings/delivery.html", context)


class ReplayView(View):
    roles = {"POST": REPLAYERS}

    def post(self, request: HttpRequest, delivery_id: UUID) -> HttpResponse:
        found(lambda: delivery_by(delivery_id))
        try:
            replay(delivery_id=delivery_id)
        except ConversationError as refusal:
            return told(request, f"{refusal.title}: {refusal.detail}", ONE, delivery_id, ok=False)
        return told(request, _("It is being worked once more."), ONE, delivery_id)


def readable(body: bytes) -> str:
    """Indented where it is JSON, else as it came; what is no text (half a character, say) is shown as marks."""
    try:
        text = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")
    return text.encode(errors="replace").decode()
