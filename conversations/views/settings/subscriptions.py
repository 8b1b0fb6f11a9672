"""Webhook subscriptions: who is told of events, with every try, and telling once more."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import ADMINS, ConsoleRole
from conversations.channel_forms import SubscriptionForm
from conversations.models import WebhookSubscription
from conversations.selectors.channels import subscription_by, subscriptions
from conversations.services.probes import probe_subscription
from conversations.services.subscriptions import (
    change_subscription,
    create_subscription,
    notices,
    replay_notice,
    set_enabled,
)
from conversations.views.settings.saving import found, saved, told, told_test

LIST, ONE = "console:settings_subscriptions", "console:settings_subscription"
READERS = frozenset({ConsoleRole.OPERATOR, ConsoleRole.AUDITOR, ConsoleRole.ADMIN})
PAGE = 25


class SubscriptionsView(View):
    roles = {"GET": READERS, "POST": ADMINS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(request, SubscriptionForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form, made = SubscriptionForm(request.POST), []
        if form.is_valid():
            url, secret, events = form.cleaned_data["url"], form.cleaned_data["secret"], form.patterns()
            if saved(form, lambda: made.append(create_subscription(url=url, events=events, secret=secret))):
                return told(request, _("Made: it is told of events from now on."), ONE, made[0].pk)
        return self.page(request, form, status=422)

    def page(self, request: HttpRequest, form: SubscriptionForm, *, status: int = 200) -> HttpResponse:
        context = {"title": _("Webhook subscriptions"), "subscriptions": subscriptions(), "form": form}
        return render(request, "console/settings/subscriptions.html", context, status=status)


class SubscriptionView(View):
    roles = {"GET": READERS, "POST": ADMINS}

    def get(self, request: HttpRequest, subscription_id: UUID) -> HttpResponse:
        subscription = found(lambda: subscription_by(subscription_id))
        return self.page(request, subscription, SubscriptionForm.of(subscription))

    def post(self, request: HttpRequest, subscription_id: UUID) -> HttpResponse:
        subscription = found(lambda: subscription_by(subscription_id))
        form = SubscriptionForm(request.POST).keeps_secret()
        if form.is_valid():
            given, events = form.cleaned_data, form.patterns()
            terms = {"url": given["url"], "events": events, "secret": given["secret"]}
            if saved(form, lambda: change_subscription(subscription_id=subscription_id, **terms)):
                return told(request, _("Saved."), ONE, subscription_id)
        return self.page(request, subscription, form, status=422)

    def page(
        self, request: HttpRequest, subscription: WebhookSubscription, form: SubscriptionForm, *, status: int = 200
    ) -> HttpResponse:
        sent = notices(subscription_id=subscription.pk)
        context = {
            "title": _("Webhook subscription"),
            "subscription": subscription,
            "form": form,
            "page": Paginator(sent, PAGE).get_page(request.GET.get("page")),
        }
        return render(request, "console/settings/subscription.html", context, status=status)


class SubscriptionTestView(View):
    """Sends a signed ping."""

    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, subscription_id: UUID) -> HttpResponse:
        tested = found(lambda: probe_subscription(subscription_id=subscription_id))
        return told_test(request, tested, ONE, subscription_id)


class SubscriptionSwitchView(View):
    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, subscription_id: UUID) -> HttpResponse:
        enabled = request.POST.get("enabled") == "1"
        found(lambda: set_enabled(subscription_id=subscription_id, enabled=enabled))
        message = _("It is told of events again.") if enabled else _("It is told of nothing more.")
        return told(request, message, ONE, subscription_id)


class NoticeReplayView(View):
    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, subscription_id: UUID, notice_id: int) -> HttpResponse:
        found(lambda: replay_notice(subscription_id=subscription_id, notice_id=notice_id))
        return told(request, _("It is being sent once more."), ONE, subscription_id)
