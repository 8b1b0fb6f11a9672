from django.db import models

from audit.models.label import LabelFrame


class LoopCase(models.Model):
    """A labelled conversation as the accuracy figures see it: what people agreed on, and what the review had said.

    Derived; written anew whenever a label, a draw or an event of the conversation may have changed it.
    """

    relationship = models.OneToOneField(
        "conversations.Relationship", models.PROTECT, primary_key=True, related_name="loop_case"
    )
    is_loop = models.BooleanField()
    readers = models.PositiveSmallIntegerField(help_text="How many people labelled it.")
    detected = models.BooleanField()
    begun = models.DateTimeField()
    channel = models.CharField(max_length=30)
    flow = models.CharField(max_length=100, blank=True)
    rule = models.CharField(max_length=30, blank=True)
    policy_version = models.CharField(max_length=30)
    peak = models.DecimalField(max_digits=3, decimal_places=2)
    lag = models.IntegerField(null=True)
    frame = models.ForeignKey(LabelFrame, models.PROTECT, null=True, related_name="cases")

    class Meta:
        indexes = [models.Index(fields=["begun"], name="loop_case_begun")]

    def __str__(self) -> str:
        return f"case {self.relationship_id}"
