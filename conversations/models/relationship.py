import uuid

from django.db import models

from conversations.domain.hash_chain import GENESIS
from conversations.domain.relationship import ConversationState, Driver, OwnerKind, Standing


class Relationship(models.Model):
    """A FIR/A: one bounded conversation. Every column but the id is a projection of its events."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    initiator = models.ForeignKey("Participant", models.PROTECT, related_name="initiated")
    responder = models.ForeignKey("Participant", models.PROTECT, related_name="responds_in")
    roles = models.JSONField(default=dict)
    context = models.JSONField(default=dict)
    humotica = models.TextField(blank=True, default="")
    level = models.PositiveSmallIntegerField(null=True)
    channel = models.CharField(max_length=30, default="rest")
    driver = models.CharField(max_length=20, default=Driver.RELAY)

    conversation_state = models.CharField(max_length=20, default=ConversationState.ACTIVE)
    conversation_depth = models.IntegerField(default=0)
    max_depth = models.IntegerField(default=5)
    timebox_hours = models.DecimalField(max_digits=12, decimal_places=6, default=24)
    appointment_id = models.CharField(max_length=200, null=True)  # noqa: DJ001 absent is not empty in the contract
    appointment_start = models.DateTimeField(null=True)
    appointment_end = models.DateTimeField(null=True)
    appointment_subject = models.TextField(null=True)  # noqa: DJ001 as above
    created_at = models.DateTimeField()
    last_activity_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    continuation_of = models.ForeignKey("self", models.PROTECT, null=True, related_name="followups")

    flow_slug = models.CharField(max_length=100, null=True)  # noqa: DJ001 as above
    flow_version = models.PositiveIntegerField(null=True)
    flow_hash = models.CharField(max_length=64, null=True)  # noqa: DJ001 as above
    owner_kind = models.CharField(max_length=10, default=OwnerKind.BOT)
    owner_operator = models.CharField(max_length=150, null=True)  # noqa: DJ001 as above
    owner_version = models.PositiveIntegerField(default=0)

    closure_type = models.CharField(max_length=20, null=True)  # noqa: DJ001 as above
    outcome = models.CharField(max_length=30, null=True)  # noqa: DJ001 as above
    closure_event = models.JSONField(null=True)
    loop_risk = models.DecimalField(max_digits=3, decimal_places=2, null=True)
    loop_finding = models.UUIDField(null=True)
    rating = models.PositiveSmallIntegerField(null=True)
    head_seq = models.PositiveIntegerField(default=0)
    head_hash = models.CharField(max_length=64, default=GENESIS)

    class Meta:
        db_table = "fir_a_relationships"
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["conversation_state", "expires_at"], name="fir_a_due"),
            models.Index(fields=["-created_at", "-id"], name="fir_a_newest"),
            models.Index(fields=["closed_at", "id"], name="fir_a_closed"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["continuation_of"],
                condition=models.Q(conversation_state="active"),
                name="one_active_followup",
            ),
            models.CheckConstraint(
                condition=models.Q(conversation_depth__lte=models.F("max_depth")), name="depth_within_max"
            ),
        ]

    def __str__(self) -> str:
        return f"FIR/A {str(self.id)[:8]}"

    @property
    def standing(self) -> Standing:
        """What the invariants look at."""
        return Standing(
            initiator=self.initiator.handle,
            responder=self.responder.handle,
            closed=self.conversation_state == ConversationState.CLOSED,
            closure_type=self.closure_type,
            closure_event=self.closure_event,
            depth=self.conversation_depth,
            max_depth=self.max_depth,
            expires_at=self.expires_at,
            appointment_start=self.appointment_start,
            owner_kind=self.owner_kind,
            owner_operator=self.owner_operator,
            owner_version=self.owner_version,
        )
