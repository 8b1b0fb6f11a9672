"""All flows, and making a new one."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views import View

from flows.errors import SlugTakenError
from flows.forms import NewFlowForm
from flows.selectors.overview import flow_rows
from flows.services.drafts import create_flow
from flows.views.base import EDITORS, READERS


class FlowsView(View):
    roles = {"GET": READERS, "POST": EDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(request, NewFlowForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = NewFlowForm(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            try:
                create_flow(
                    slug=given["slug"],
                    name=given["name"],
                    definition=form.first_draft(),
                    author=request.user.get_username(),
                )
                return redirect("console:flow", given["slug"])
            except SlugTakenError as problem:
                form.add_error("slug", problem.detail)
        return self.page(request, form, status=422)

    def page(self, request: HttpRequest, form: NewFlowForm, *, status: int = 200) -> HttpResponse:
        context = {"title": "Flows", "rows": flow_rows(), "form": form}
        return render(request, "console/flows/list.html", context, status=status)
