"""The editor of one flow."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views import View

from flows.api.representations import flow_json
from flows.errors import FlowNotFoundError
from flows.selectors.flows import flow_by
from flows.views.base import READERS

CALLS = ("check", "draft", "try", "scripts", "explore", "versions", "publish", "rollback", "diff")


class EditorView(View):
    roles = {"GET": READERS}

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        try:
            flow = flow_by(slug)
        except FlowNotFoundError as problem:
            raise Http404(problem.detail) from problem
        calls = {name: reverse(f"console:flow-{name}", args=[slug]) for name in CALLS}
        page = {"flow": flow_json(flow), "calls": calls}
        return render(request, "console/flows/editor.html", {"title": flow.name, "flow": flow, "page": page})
