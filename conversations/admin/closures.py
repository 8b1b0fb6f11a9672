import json

from django.contrib import admin

from conversations.admin.read_only import ReadOnlyAdmin
from conversations.models import Closure


@admin.register(Closure)
class ClosureAdmin(ReadOnlyAdmin):
    list_display = [
        "id",
        "initiator",
        "responder",
        "closure_type",
        "outcome",
        "closed_at",
        "conversation_depth",
        "rating",
    ]
    list_filter = ["closure_type", "outcome", "driver", "channel"]
    list_select_related = ["initiator", "responder"]
    search_fields = ["id", "initiator__handle", "responder__handle"]
    ordering = ["-closed_at", "-id"]
    show_full_result_count = False
    fields = ["initiator", "responder", "closure_type", "outcome", "closed_at", "rating", "event"]
    readonly_fields = fields

    @admin.display(description="closure event")
    def event(self, closure: Closure) -> str:
        return json.dumps(closure.closure_event, ensure_ascii=False, indent=2)
