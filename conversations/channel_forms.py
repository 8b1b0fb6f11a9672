"""The forms of Settings. They say what is typed where; the services say whether it makes sense."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from conversations.domain.relationship import Driver
from conversations.models import Channel, Persona, WebhookSubscription
from conversations.responders import http, llm, template

MIN_SECRET = 8
CHATWOOT, SLACK = Channel.Kind.CHATWOOT, Channel.Kind.SLACK


class Secret(forms.CharField):
    """Typed, never shown: a stored one is kept where the field is left empty."""

    def __init__(self, **told: Any) -> None:
        kept = {"autocomplete": "new-password", "spellcheck": "false"}
        super().__init__(max_length=500, strip=False, widget=forms.PasswordInput(attrs=kept), **told)


class PersonaForm(forms.Form):
    handle = forms.CharField(
        label=_("Handle"), max_length=200, help_text=_("How threads and channels name it; it stays for good.")
    )
    name = forms.CharField(label=_("Name"), max_length=200, required=False, help_text=_("Shown where it speaks."))
    kind = forms.ChoiceField(
        label=_("Answers come from"),
        choices=[
            (template.KIND, _("a fixed text")),
            (http.KIND, _("an agent behind an address")),
            (llm.KIND, _("the language model")),
        ],
    )
    text = forms.CharField(
        label=_("Fixed text"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("{sender}, {persona} and {text} are filled in. Empty: a plain thank you."),
    )
    url = forms.CharField(
        label=_("Agent's address"), required=False, max_length=2000, help_text=_("Gets a signed POST for each answer.")
    )
    secret = Secret(label=_("Agent's secret"), required=False, help_text=_("Signs requests; 16 characters or more."))
    timeout_seconds = forms.FloatField(
        label=_("Waits at most, seconds"),
        required=False,
        min_value=0.1,
        max_value=30,
        help_text=_("Empty: the default."),
    )
    instructions = forms.CharField(
        label=_("Instructions"), required=False, max_length=10_000, widget=forms.Textarea(attrs={"rows": 3})
    )
    USED_BY = {template.KIND: ("text",), http.KIND: ("url", "secret", "timeout_seconds"), llm.KIND: ("instructions",)}

    @classmethod
    def of(cls, persona: Persona) -> "PersonaForm":
        """What is stored; the secret stays where it is."""
        return cls(initial={"handle": persona.handle, "name": persona.name, **persona.responder})

    def responder(self) -> dict[str, Any]:
        """The responder's document: of what was typed, only what its kind has."""
        given = self.cleaned_data
        used = {name: given[name] for name in self.USED_BY[given["kind"]] if given[name] not in ("", None)}
        return {"kind": given["kind"], **used}


class ChannelForm(forms.Form):
    """What a new channel of either kind is asked for, `kinds.js` showing what the chosen one has; one that exists is
    asked for its own kind's only."""

    ONLY_OF = {"account_id": CHATWOOT, "driver": CHATWOOT, "flow": CHATWOOT, "personas": SLACK}
    NEEDED_BY = {"base_url": CHATWOOT, "account_id": CHATWOOT}

    kind = forms.ChoiceField(label=_("Kind"), choices=Channel.Kind.choices)
    name = forms.CharField(label=_("Name"), max_length=100, help_text=_("For your own lists."))
    base_url = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=2000,
        help_text=_("Of the Chatwoot server, such as https://chat.example.org. Empty for Slack itself."),
    )
    account_id = forms.IntegerField(
        label=_("Account"), required=False, min_value=1, max_value=2**53 - 1, help_text=_("Chatwoot's number of it.")
    )
    token = Secret(label=_("Token"), required=False, help_text=_("The agent bot's, or Slack's bot token (xoxb-…)."))
    secret = Secret(
        label=_("Signing secret"), min_length=MIN_SECRET, help_text=_("What the other side signs its webhooks with.")
    )
    driver = forms.ChoiceField(
        label=_("Answered by"),
        required=False,
        choices=[("", _("–")), (Driver.ASSISTANT, _("the assistant")), (Driver.FLOW, _("a flow"))],
        help_text=_("Nobody chosen: the flow if there is one, else the assistant."),
    )
    flow = forms.ChoiceField(label=_("Flow"), required=False)
    personas = forms.MultipleChoiceField(
        label=_("Personas"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Who may answer in this Slack workspace. None chosen: all of them."),
    )

    def __init__(self, *args: Any, flows: list[str], personas: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["flow"].choices = [("", "–"), *((slug, slug) for slug in flows)]
        self.fields["personas"].choices = [(handle, handle) for handle in personas]
        self.chosen = self.initial.get("kind") or self.data.get("kind") or CHATWOOT
        for name, kind in self.NEEDED_BY.items():
            self.fields[name].required = kind == self.chosen

    def clean(self) -> dict[str, Any]:
        """What stands in a field of the other kind was not meant, and is no mistake."""
        for name, kind in self.ONLY_OF.items():
            if kind != self.chosen:
                self.cleaned_data.pop(name, None)
                self.errors.pop(name, None)
        return self.cleaned_data

    def keeps_secrets(self) -> "ChannelForm":
        """Of a channel that exists: its kind stays, and its secrets do where nothing is typed."""
        self.fields["kind"].disabled = True
        for name, kind in self.ONLY_OF.items():
            if kind != self.chosen:
                self.fields.pop(name, None)
        self.fields["secret"].required = False
        for name in ("token", "secret"):
            self.fields[name].help_text = _("Stored, and never shown. Type one only to replace it.")
        return self


def values_of(channel: Channel) -> dict[str, Any]:
    """A channel as its form shows it: everything but the secrets."""
    names = ("kind", "name", "base_url", "account_id", "driver", "personas")
    return {**{name: getattr(channel, name) for name in names}, "flow": channel.flow or ""}


class SubscriptionForm(forms.Form):
    url = forms.CharField(label=_("Address"), max_length=2000, help_text=_("Gets a signed POST for each event."))
    events = forms.CharField(
        label=_("Events"),
        required=False,
        max_length=5_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One a line: a type such as conversation_closure, or a beginning such as handoff_*. Empty: all."),
    )
    secret = Secret(label=_("Secret"), min_length=MIN_SECRET, help_text=_("The receiver checks our signature with it."))

    def patterns(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["events"].splitlines() if line.strip()]

    @classmethod
    def of(cls, subscription: WebhookSubscription) -> "SubscriptionForm":
        return cls(initial={"url": subscription.url, "events": "\n".join(subscription.events)}).keeps_secret()

    def keeps_secret(self) -> "SubscriptionForm":
        self.fields["secret"].required = False
        self.fields["secret"].help_text = _("Stored, and never shown. Type one only to replace it.")
        return self
