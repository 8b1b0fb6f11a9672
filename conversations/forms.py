"""The forms of Settings that make something new; what they hold is checked again by the services."""

from typing import Any

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from conversations.access import ConsoleRole
from conversations.console_words import ROLES
from conversations.models import Role

ROLE_CHOICES = [(role.value, ROLES[role]) for role in ConsoleRole]


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=ROLE_CHOICES, required=False, widget=forms.CheckboxSelectMultiple
    )


class PersonForm(RolesForm):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=_("Colleagues see it beside everything this person says and does."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    full_name = forms.CharField(label=_("Name"), max_length=150, required=False)
    email = forms.EmailField(label=_("E-mail"), required=False)
    field_order = ["username", "full_name", "email", "roles"]


class KeyForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=100, help_text=_("What the key is for, to recognise it by."))
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    participant = forms.CharField(
        label=_("Participant"), max_length=200, required=False, help_text=_("Of a participant key only: its handle.")
    )
    username = forms.CharField(
        label=_("User"),
        max_length=150,
        required=False,
        help_text=_("Of an operator key only: who acts with it; else a service user of the key's name."),
    )

    def terms(self) -> dict[str, Any]:
        """What the service asks for; a field left empty was not given."""
        told = self.cleaned_data
        return {
            "name": told["name"],
            "role": told["role"],
            "participant_handle": told["participant"] or None,
            "username": told["username"] or None,
        }


class CannedReplyForm(forms.Form):
    shortcut = forms.SlugField(label=_("Shortcut"), max_length=40, help_text=_("What is typed after the slash."))
    text = forms.CharField(label=_("Text"), max_length=10_000, widget=forms.Textarea({"rows": 3}))
