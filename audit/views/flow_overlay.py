"""The figures laid over a flow's drawing in its editor, fetched by the page: flows know no conversations."""

from dataclasses import asdict

from django.http import HttpRequest, JsonResponse
from django.views import View

from audit.selectors.flow_overlay import figures_by_node
from conversations.access import EVERYBODY
from conversations.selectors.flow_figures import running_by_version


class FlowOverlayView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest, slug: str) -> JsonResponse:
        nodes = {node_id: asdict(figures) for node_id, figures in figures_by_node(slug).items()}
        return JsonResponse({"running": running_by_version(slug).get(slug, {}), "nodes": nodes})
