from django.contrib import admin

from conversations.admin.read_only import ReadOnlyAdmin
from conversations.models import Relationship


@admin.register(Relationship)
class RelationshipAdmin(ReadOnlyAdmin):
    list_display = [
        "id",
        "initiator",
        "responder",
        "driver",
        "conversation_state",
        "conversation_depth",
        "max_depth",
        "owner_kind",
        "expires_at",
    ]
    list_filter = ["conversation_state", "driver", "channel", "owner_kind", "closure_type"]
    list_select_related = ["initiator", "responder"]
    search_fields = ["id", "initiator__handle", "responder__handle"]
    ordering = ["-created_at", "-id"]
    show_full_result_count = False  # counting a million rows would cost more than the page
