"""Flows in the admin: a list that leads to the editor, versions to read. Nothing is written here."""

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin

from flows.models import Flow, FlowVersion


class ReadOnlyAdmin(ModelAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Flow)
class FlowAdmin(ReadOnlyAdmin):
    list_display = ["name", "slug", "draft_author", "draft_saved_at", "editor"]
    search_fields = ["name", "slug"]

    def editor(self, flow: Flow) -> SafeString:
        return format_html('<a href="{}">Open the editor</a>', reverse("console:flow", args=[flow.slug]))


@admin.register(FlowVersion)
class FlowVersionAdmin(ReadOnlyAdmin):
    list_display = ["flow", "version", "hash", "note", "author", "created_at"]
    list_select_related = ["flow"]
    search_fields = ["flow__slug", "note"]
