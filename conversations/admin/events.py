import json

from django.contrib import admin

from conversations.admin.read_only import ReadOnlyAdmin
from conversations.models import Event
from conversations.selectors.events import as_recorded


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ["relationship", "seq", "type", "at", "actor", "hash"]
    list_select_related = ["relationship"]
    search_fields = ["=relationship__id", "=type", "=hash"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = ["relationship", "seq", "type", "at", "actor", "content", "commitment", "prev_hash", "hash", "header"]
    readonly_fields = fields

    @admin.display(description="payload")
    def content(self, event: Event) -> str:
        """What was said; it may have been erased lawfully."""
        payload = as_recorded(event).payload
        return "erased" if payload is None else json.dumps(payload, ensure_ascii=False, indent=2)
