"""How many conversations run on each flow: what the list of flows fetches, since flows know no conversations."""

from django.http import HttpRequest, JsonResponse
from django.views import View

from conversations.access import EVERYBODY
from conversations.selectors.flow_figures import running_by_version


class FlowsInUseView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> JsonResponse:
        return JsonResponse({"running": running_by_version()})
