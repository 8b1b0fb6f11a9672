"""What the console shows of the tables. History is read here, never written.

People, their roles and second factors, and keys have their screens in Settings, which go through the services: a
second door here would let somebody be made an administrator, or a secret be read, without any of their rules.
"""

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from conversations.admin import closures, events, participants, relationships

__all__ = ["closures", "events", "participants", "relationships"]

admin.site.unregister([get_user_model(), Group, TOTPDevice, StaticDevice])
