from django.contrib import admin

from conversations.admin.read_only import ReadOnlyAdmin
from conversations.models import Participant


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin):
    list_display = ["handle", "display_name", "created_at"]
    search_fields = ["handle", "display_name"]
