from django.db import models


class FlowScript(models.Model):
    """A saved conversation with a draft; publishing replays it and compares how it ends."""

    flow = models.ForeignKey("Flow", models.CASCADE, related_name="scripts")
    name = models.CharField(max_length=200)
    script = models.JSONField(help_text="What the visitor says: [{text, facts}].")
    expected = models.JSONField(help_text="What must come out: status and the nodes chosen, in order.")
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["flow", "name"], name="script_once_per_flow")]

    def __str__(self) -> str:
        return self.name
