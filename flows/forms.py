"""The one form the server reads; the definition itself is edited in the page and arrives as JSON."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from flows.api.schemas import SLUG_PATTERN


class NewFlowForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    slug = forms.RegexField(
        SLUG_PATTERN,
        label=_("Address"),
        max_length=100,
        help_text=_("Small letters, digits and dashes; it stays when the name changes."),
        error_messages={"invalid": _("Small letters, digits, dashes and underscores only.")},
    )

    def first_draft(self) -> dict[str, Any]:
        """Where everybody starts: a named flow without a node, so the findings say what is next."""
        return {
            "name": self.cleaned_data["name"],
            "primaryGoal": {"type": "GATE", "gate": "DONE"},
            "gateDefinitions": {"DONE": {"satisfiedBy": {}}},
            "facts": {},
            "factAliases": {},
            "nodes": [],
        }
