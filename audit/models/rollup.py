from django.db import models


class DayFigure(models.Model):
    """One measure of one day: the sum of its contributions. Derived; `rebuild_rollups` makes it anew."""

    day = models.DateField()
    measure = models.CharField(max_length=20)
    flow = models.CharField(max_length=100, blank=True)
    subject = models.CharField(max_length=200, blank=True, help_text="A node, gate, guard, type, score or bucket.")
    channel = models.CharField(max_length=30)
    driver = models.CharField(max_length=20)
    conversations = models.BigIntegerField(default=0)
    count = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            # measure and day first: every question names a measure and a range of days
            models.UniqueConstraint(
                fields=["measure", "day", "flow", "subject", "channel", "driver"], name="figure_once_per_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.subject} on {self.day}"


class Contribution(models.Model):
    """What one conversation adds to one figure: how it is taken back when the conversation moves on, and the way
    from a figure to the conversations behind it."""

    # the service takes contributions out before their figure, and the database holds it to that
    figure = models.ForeignKey(DayFigure, models.DO_NOTHING, related_name="contributions", db_index=False)
    relationship = models.ForeignKey(
        "conversations.Relationship", models.PROTECT, related_name="contributions", db_index=False
    )
    count = models.BigIntegerField()
    total = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["relationship", "figure"], name="contribution_once")]
        indexes = [models.Index(fields=["figure", "relationship"], name="contribution_to")]

    def __str__(self) -> str:
        return f"{self.relationship_id} in figure {self.figure_id}"


class RollupCursor(models.Model):
    """How many of the log's leaves are rolled up. One row; whoever moves it holds it."""

    ONLY = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    position = models.PositiveBigIntegerField(default=0)
    moved_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"rolled up to leaf {self.position}"
