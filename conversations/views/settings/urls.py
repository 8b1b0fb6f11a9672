from django.urls import path

from conversations.views.settings import people_acts
from conversations.views.settings.canned import CannedView, remove_view, save_view
from conversations.views.settings.home import SettingsView
from conversations.views.settings.keys import KeysView, revoke_view
from conversations.views.settings.participants import ParticipantsView
from conversations.views.settings.people import PasswordLinkView, PeopleView, PersonView
from conversations.views.settings.two_factor import RecoveryCodesView, TurnOffView, TwoFactorView

urlpatterns = [
    path("settings", SettingsView.as_view(), name="settings"),
    path("settings/participants", ParticipantsView.as_view(), name="settings_participants"),
    path("settings/people", PeopleView.as_view(), name="settings_people"),
    path("settings/people/<int:person_id>", PersonView.as_view(), name="settings_person"),
    path("settings/people/<int:person_id>/link", PasswordLinkView.as_view(), name="settings_person_link"),
    *(
        path(f"settings/people/<int:subject>/{name}", view, name=f"settings_person_{name}")
        for name, view in people_acts.ACTS.items()
    ),
    path("settings/keys", KeysView.as_view(), name="settings_keys"),
    path("settings/keys/<int:subject>/revoke", revoke_view, name="settings_key_revoke"),
    path("settings/canned", CannedView.as_view(), name="settings_canned"),
    path("settings/canned/<int:subject>/save", save_view, name="settings_canned_save"),
    path("settings/canned/<int:subject>/remove", remove_view, name="settings_canned_remove"),
    path("settings/two-factor", TwoFactorView.as_view(), name="settings_two_factor"),
    path("settings/two-factor/codes", RecoveryCodesView.as_view(), name="settings_recovery_codes"),
    path("settings/two-factor/off", TurnOffView.as_view(), name="settings_two_factor_off"),
]
