import uuid

from django.db import models


class Persona(models.Model):
    """A voice of ours that answers in threads. What its responder shares with an agent is sealed apart."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    handle = models.CharField(max_length=200, unique=True)
    name = models.CharField(max_length=200)
    responder = models.JSONField(default=dict)
    secret_sealed = models.TextField(blank=True, editable=False)
    last_posted_at = models.DateTimeField(null=True, editable=False, help_text="In any thread: the cooldown's start.")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["handle"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="persona_newest")]

    def __str__(self) -> str:
        return self.name

    @property
    def actor(self) -> str:
        """How the ledger's headers name this persona."""
        return f"persona:{self.pk}"


class GuardScope(models.Model):
    """One row to lock where a guard looks across threads: whoever holds it decides alone."""

    name = models.CharField(max_length=30, primary_key=True)

    def __str__(self) -> str:
        return self.name


class GuardActivity(models.Model):
    """How often a guard spoke, and how often a persona did, a day: a count of the thread events."""

    day = models.DateField()
    event = models.CharField(max_length=30, help_text="The type of the events counted.")
    guard = models.CharField(max_length=40, blank=True)
    code = models.CharField(max_length=40, blank=True)
    persona = models.CharField(max_length=200, blank=True)
    count = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["-day", "event", "guard", "code", "persona"]
        constraints = [
            models.UniqueConstraint(fields=["day", "event", "guard", "code", "persona"], name="guard_activity_once")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.event} {self.code or self.persona}: {self.count}"
