"""Proofs: one conversation verified, everything verified in the background, checkpoints, the verifier's page."""

import re
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.dateparse import parse_datetime
from django.utils.safestring import mark_safe
from django.utils.timezone import is_aware
from django.utils.translation import gettext as _
from django.views import View

from audit.selectors.verification_runs import runs_before
from audit.services import keys
from audit.services.attested import attested_page
from audit.services.verification import verify
from audit.services.verification_runs import start_verification
from conversations.access import AUDITORS, EVERYBODY, person_of
from conversations.models import AccessLog
from conversations.services.access_log import record_look
from conversations.views.acting import whole_number
from conversations.views.conversation import looked_at

# In the order in which one uses the other: put one after another, they are one module.
MODULES = ("bytes", "zip", "ledger", "proofs", "bundle", "page")
SCRIPTS = Path(settings.BASE_DIR) / "static" / "js" / "verifier"


class VerifyView(View):
    """One conversation, at once: what the button on its page asks."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        relationship = looked_at(request, relationship_id, AccessLog.What.VERIFICATION)
        report = verify(relationship=relationship.pk)
        first = report.first
        return JsonResponse(
            {
                "ok": report.ok,
                "events": report.events,
                "first_bad_seq": first.seq if first else None,
                "reason": str(first) if first else "; ".join(report.unchecked) or None,
            }
        )


class VerificationView(View):
    """Everything, in the background."""

    roles = {"GET": EVERYBODY, "POST": AUDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/audit/verification.html", {**known_runs(request), "title": _("Verification")})

    def post(self, request: HttpRequest) -> HttpResponse:
        record_look(user=request.user, what=AccessLog.What.VERIFICATION)
        start_verification(asked_by=person_of(request.user).actor)
        messages.success(request, _("Everything is being verified; this page shows how far it is."))
        return redirect("console:audit_verification")


class VerificationNewsView(View):
    """The same without its frame, for the page that refreshes itself."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/audit/_runs.html", known_runs(request))


def known_runs(request: HttpRequest) -> dict[str, object]:
    """From the newest, or from the moment the address names; one that is none begins at the newest."""
    moment = parse_datetime(request.GET.get("before", "").replace(" ", "+"))
    page = runs_before(moment if moment is not None and is_aware(moment) else None)
    return {"runs": page.runs, "older": page.older}


class CheckpointsView(View):
    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        record_look(user=request.user, what=AccessLog.What.CHECKPOINTS)
        page = attested_page(below=whole_number(request.GET.get("below", "")) or None)
        return render(request, "console/audit/checkpoints.html", {"title": _("Checkpoints"), "page": page})


class VerifierView(View):
    """The second verifier: served here, but all its work is done in the browser."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        context = {"title": _("Check a bundle"), "public_key": keys.public_key().hex()}
        return render(request, "console/audit/verifier.html", context)


class VerifierFileView(View):
    """The same page as one file to keep: it needs no server, so a bundle can be checked where there is none."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        # our own static files, no word of anybody else's
        script = mark_safe(one_script())  # noqa: S308 # nosec B308 B703
        page = render_to_string("console/audit/verifier_file.html", {"script": script})
        headers = {"Content-Disposition": 'attachment; filename="lastword-verifier.html"'}
        return HttpResponse(page, headers=headers)


def one_script() -> str:
    """The modules as one: a browser loads no module from beside a file, so nothing may be imported."""
    text = "\n".join((SCRIPTS / f"{name}.js").read_text(encoding="utf-8") for name in MODULES)
    return re.sub(r"^export ", "", re.sub(r"^import .*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
