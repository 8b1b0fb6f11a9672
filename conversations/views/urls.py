from django.urls import path

from conversations.views import conversation_acts, inbox_acts
from conversations.views.conversation import ConversationNewsView, ConversationView
from conversations.views.flow_figures import FlowsInUseView
from conversations.views.inbox import ChatNewsView, ChatView, InboxView, QueueView
from conversations.views.live import BulkCloseView, LiveRowsView, LiveView
from conversations.views.saved_views import SaveView, forget_saved
from conversations.views.two_factor import CodeView, EnrolView

urlpatterns = [
    path("flow-figures", FlowsInUseView.as_view(), name="flows-in-use"),
    path("live", LiveView.as_view(), name="live"),
    path("live/rows", LiveRowsView.as_view(), name="live_rows"),
    path("live/close", BulkCloseView.as_view(), name="live_close"),
    path("live/views", SaveView.as_view(), name="live_save_view"),
    path("live/views/<int:subject>/forget", forget_saved, name="live_forget_view"),
    path("conversations/<uuid:relationship_id>", ConversationView.as_view(), name="conversation"),
    path("conversations/<uuid:relationship_id>/news", ConversationNewsView.as_view(), name="conversation_news"),
    *(
        path(f"conversations/<uuid:subject>/{name}", view, name=f"conversation_{name}")
        for name, view in conversation_acts.ACTS.items()
    ),
    path("inbox", InboxView.as_view(), name="inbox"),
    path("inbox/queue", QueueView.as_view(), name="inbox_queue"),
    path("inbox/<uuid:handoff_id>", ChatView.as_view(), name="chat"),
    path("inbox/<uuid:handoff_id>/news", ChatNewsView.as_view(), name="chat_news"),
    *(path(f"inbox/<uuid:subject>/{name}", view, name=f"inbox_{name}") for name, view in inbox_acts.ACTS.items()),
    path("two-factor/code", CodeView.as_view(), name="two_factor_code"),
    path("two-factor/enrol", EnrolView.as_view(), name="two_factor_enrol"),
]
