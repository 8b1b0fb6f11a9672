"""Features given to a share of conversations, and taken back."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from conversations.access import EDITORS, EVERYBODY
from conversations.views.acting import whole_number
from guards.errors import GuardError, InvalidPolicyError
from guards.policy_document import FieldError
from guards.policy_form import partial_of, settings_of, typed
from guards.policy_words import SETTINGS
from guards.selectors.policy import policy_in_force
from guards.selectors.rollout import Feature, rollout_history, rollouts
from guards.services.rollout import roll_out

WHAT = {
    Feature.WORKFLOW_CANDIDATE: gettext_lazy("Other numbers for workflow runs and loops"),
    Feature.LOOP_HAND_OFF: gettext_lazy("A loop that goes on after a nudge asks for a person"),
    Feature.LOOP_CLOSE: gettext_lazy("A loop that goes on after a nudge ends the conversation"),
}
PART = "workflow"


class RolloutView(View):
    roles = {"GET": EVERYBODY, "POST": EDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return page(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        form = request.POST
        feature = form.get("feature", "")
        share = whole_number(form.get("share", ""), -1)
        if feature not in list(Feature) or not 0 <= share <= 100:
            messages.error(request, _("Choose a feature and a share from 0 to 100 per cent."))
            return page(request, status=422)
        settings = candidate_in(form) if feature == Feature.WORKFLOW_CANDIDATE else {}
        note = form.get("note", "").replace("\0", "")[:500]
        try:
            roll_out(
                feature=Feature(feature), share=share, settings=settings, author=request.user.get_username(), note=note
            )
        except InvalidPolicyError as refusal:
            messages.error(request, _("Nothing was changed: these numbers make no sense."))
            errors = tuple(FieldError(**error) for error in refusal.figures["errors"])
            return page(request, typed_in=settings, errors=errors, status=422)
        except GuardError as refusal:
            messages.error(request, refusal.detail)
            return page(request, status=refusal.status)
        told = {"what": WHAT[Feature(feature)], "share": share}
        messages.success(request, _("%(what)s: %(share)d %% of conversations from now on.") % told)
        return redirect("console:guards_rollout")


def candidate_in(form: Any) -> dict[str, Any]:
    """Only what differs from the policy in force makes a candidate; the rest follows later changes of the policy."""
    in_force = policy_in_force().document.to_json()[PART]
    values = partial_of(typed(form.dict()))[PART]
    return {name: value for name, value in values.items() if value != in_force[name]}


def page(
    request: HttpRequest, *, typed_in: Any = None, errors: tuple[FieldError, ...] = (), status: int = 200
) -> HttpResponse:
    lines = rollouts()
    candidate = lines.get(Feature.WORKFLOW_CANDIDATE)
    values = typed_in if typed_in is not None else candidate.settings if candidate else {}
    shown = {f"{PART}.{name}": value for name, value in values.items()}
    fields = settings_of(policy_in_force().document, shown, errors)[PART]
    context = {
        "title": _("Guards"),
        "here": "rollout",
        "features": [(feature, WHAT[feature], lines.get(feature)) for feature in Feature],
        "fields": [(field, SETTINGS[field.name]) for field in fields],
        "history": [(line, WHAT[Feature(line.feature)]) for line in rollout_history()],
        "candidate": Feature.WORKFLOW_CANDIDATE,
    }
    return render(request, "console/guards/rollout.html", context, status=status)
