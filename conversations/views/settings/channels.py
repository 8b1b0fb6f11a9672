"""Channels: where we hear and speak, with a test of whether the other side lets us in."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import ADMINS, EVERYBODY
from conversations.channel_forms import ChannelForm, values_of
from conversations.domain.relationship import Driver
from conversations.models import Channel
from conversations.selectors.channels import channel_by, channels, deliveries
from conversations.selectors.threads import personas
from conversations.services.channels import ChannelTerms, change_channel, create_channel, set_enabled
from conversations.services.probes import probe_channel
from conversations.views.settings.saving import found, saved, told, told_test
from flows.selectors.flows import published_slugs

LIST, ONE = "console:settings_channels", "console:settings_channel"
SHOWN = 10


def form_of(data: Any = None, **told_form: Any) -> ChannelForm:
    """The form with what there is to choose from."""
    handles = [persona.handle for persona in personas()]
    return ChannelForm(data, flows=published_slugs(), personas=handles, **told_form)


def terms_in(form: ChannelForm) -> ChannelTerms:
    """What was typed; what this kind is not asked for stays as it is."""
    given = {**form.initial, **form.cleaned_data}
    driver = Driver(given["driver"]) if given.get("driver") else None
    return ChannelTerms(**{**given, "driver": driver, "flow": given.get("flow") or None})


class ChannelsView(View):
    roles = {"GET": EVERYBODY, "POST": ADMINS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(request, form_of())

    def post(self, request: HttpRequest) -> HttpResponse:
        form, made = form_of(request.POST), []
        if form.is_valid() and saved(form, lambda: made.append(create_channel(terms=terms_in(form)))):
            message = _("Made. Paste its webhook address over there, then send a test.")
            return told(request, message, ONE, made[0].pk)
        return self.page(request, form, status=422)

    def page(self, request: HttpRequest, form: ChannelForm, *, status: int = 200) -> HttpResponse:
        context = {"title": _("Channels"), "channels": channels(), "form": form}
        return render(request, "console/settings/channels.html", context, status=status)


class ChannelView(View):
    roles = {"GET": EVERYBODY, "POST": ADMINS}

    def get(self, request: HttpRequest, channel_id: UUID) -> HttpResponse:
        channel = found(lambda: channel_by(channel_id))
        return self.page(request, channel, form_of(initial=values_of(channel)))

    def post(self, request: HttpRequest, channel_id: UUID) -> HttpResponse:
        channel = found(lambda: channel_by(channel_id))
        form = form_of(request.POST, initial=values_of(channel)).keeps_secrets()
        if form.is_valid() and saved(form, lambda: change_channel(channel_id=channel_id, terms=terms_in(form))):
            return told(request, _("Saved."), ONE, channel_id)
        return self.page(request, channel, form, status=422)

    def page(self, request: HttpRequest, channel: Channel, form: ChannelForm, *, status: int = 200) -> HttpResponse:
        context = {
            "title": channel.name,
            "channel": channel,
            "webhook": request.build_absolute_uri(channel.webhook_path),
            "deliveries": deliveries().filter(channel=channel)[:SHOWN],
            "form": form.keeps_secrets(),
        }
        return render(request, "console/settings/channel.html", context, status=status)


class ChannelTestView(View):
    """Asks the other side whether our token opens anything; says what came back."""

    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, channel_id: UUID) -> HttpResponse:
        tested = found(lambda: probe_channel(channel_id=channel_id))
        return told_test(request, tested, ONE, channel_id)


class ChannelSwitchView(View):
    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, channel_id: UUID) -> HttpResponse:
        enabled = request.POST.get("enabled") == "1"
        found(lambda: set_enabled(channel_id=channel_id, enabled=enabled))
        message = _("The channel is on.") if enabled else _("The channel is off: its webhooks are unknown now.")
        return told(request, message, ONE, channel_id)
