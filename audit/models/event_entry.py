from django.db import models


class EventEntry(models.Model):
    """An event as the search knows it: opaque names only; its words are indexed beside it and go with an erasure.

    `key` is the event's moment with its place among the events of that moment: one number orders the whole ledger.
    Nothing hangs on this table: it can be emptied and filled again, so it refers without constraints.
    """

    key = models.BigIntegerField(primary_key=True)
    position = models.PositiveBigIntegerField(unique=True, help_text="The event's leaf in the log.")
    event = models.OneToOneField(
        "conversations.Event", models.DO_NOTHING, db_constraint=False, related_name="entry", help_text="Whose it is."
    )
    relationship = models.ForeignKey(
        "conversations.Relationship", models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    type = models.CharField(max_length=120)
    actor = models.CharField(max_length=100)
    initiator = models.UUIDField()
    responder = models.UUIDField()

    class Meta:
        ordering = ["-key"]
        indexes = [
            models.Index(fields=["relationship", "key"], name="entry_of_relationship"),
            models.Index(fields=["type", "key"], name="entry_of_type"),
            models.Index(fields=["actor", "key"], name="entry_of_actor"),
            models.Index(fields=["initiator", "key"], name="entry_of_initiator"),
            models.Index(fields=["responder", "key"], name="entry_of_responder"),
        ]

    def __str__(self) -> str:
        return f"{self.type} at leaf {self.position}"
