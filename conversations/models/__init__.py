from conversations.models.access_log import AccessLog
from conversations.models.api_key import ApiKey, Role
from conversations.models.canned_reply import CannedReply
from conversations.models.catalog_import import CatalogImport
from conversations.models.channel import Channel, ChannelConversation, OwnMessage
from conversations.models.closure import Closure
from conversations.models.delivery import Delivery
from conversations.models.dialogue import Dialogue
from conversations.models.event import Event, EventPayload
from conversations.models.flow_run import FlowRun, MessageReceipt, TurnLog
from conversations.models.handoff import Handoff
from conversations.models.idempotency import IdempotencyRecord
from conversations.models.loops import LoopFinding, LoopWatch
from conversations.models.outbox import OutboxAttempt, OutboxMessage
from conversations.models.participant import Participant
from conversations.models.persona import GuardActivity, GuardScope, Persona
from conversations.models.product import Product
from conversations.models.relationship import Relationship
from conversations.models.saved_view import SavedView
from conversations.models.subscription import WebhookSubscription
from conversations.models.thread import PersonaThread, ScheduledReply

__all__ = [
    "AccessLog",
    "ApiKey",
    "CannedReply",
    "CatalogImport",
    "Channel",
    "ChannelConversation",
    "Closure",
    "Delivery",
    "Dialogue",
    "Event",
    "EventPayload",
    "FlowRun",
    "GuardActivity",
    "GuardScope",
    "Handoff",
    "IdempotencyRecord",
    "LoopFinding",
    "LoopWatch",
    "MessageReceipt",
    "OutboxAttempt",
    "OutboxMessage",
    "OwnMessage",
    "Participant",
    "Persona",
    "PersonaThread",
    "Product",
    "Relationship",
    "Role",
    "SavedView",
    "ScheduledReply",
    "TurnLog",
    "WebhookSubscription",
]
