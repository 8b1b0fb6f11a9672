"""The websockets' addresses."""

from django.urls import path

from conversations.consumers.inbox import InboxSocket
from conversations.consumers.live import LiveSocket
from conversations.consumers.relationship import RelationshipSocket

websocket_urlpatterns = [
    path("ws/live", LiveSocket.serve),
    path("ws/inbox", InboxSocket.serve),
    path("ws/relationships/<uuid:relationship_id>", RelationshipSocket.serve),
]
