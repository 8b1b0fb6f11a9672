from django.urls import path

from conversations.views.settings import channels, deliveries, personas, subscriptions

CHANNEL = "settings/channels/<uuid:channel_id>"
SUBSCRIPTION = "settings/subscriptions/<uuid:subscription_id>"

urlpatterns = [
    path("settings/personas", personas.PersonasView.as_view(), name="settings_personas"),
    path("settings/personas/<path:handle>", personas.PersonaView.as_view(), name="settings_persona"),
    path("settings/channels", channels.ChannelsView.as_view(), name="settings_channels"),
    path(CHANNEL, channels.ChannelView.as_view(), name="settings_channel"),
    path(f"{CHANNEL}/test", channels.ChannelTestView.as_view(), name="settings_channel_test"),
    path(f"{CHANNEL}/switch", channels.ChannelSwitchView.as_view(), name="settings_channel_switch"),
    path("settings/deliveries", deliveries.DeliveriesView.as_view(), name="settings_deliveries"),
    path("settings/deliveries/<uuid:delivery_id>", deliveries.DeliveryView.as_view(), name="settings_delivery"),
    path(
        "settings/deliveries/<uuid:delivery_id>/replay",
        deliveries.ReplayView.as_view(),
        name="settings_delivery_replay",
    ),
    path("settings/subscriptions", subscriptions.SubscriptionsView.as_view(), name="settings_subscriptions"),
    path(SUBSCRIPTION, subscriptions.SubscriptionView.as_view(), name="settings_subscription"),
    path(f"{SUBSCRIPTION}/test", subscriptions.SubscriptionTestView.as_view(), name="settings_subscription_test"),
    path(f"{SUBSCRIPTION}/switch", subscriptions.SubscriptionSwitchView.as_view(), name="settings_subscription_switch"),
    path(
        f"{SUBSCRIPTION}/notices/<int:notice_id>/replay",
        subscriptions.NoticeReplayView.as_view(),
        name="settings_notice_replay",
    ),
]
