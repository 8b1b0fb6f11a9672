"""Which words a node uses this time (F14)."""

from typing import NamedTuple

from .definition import Node, VariantStrategy

REPHRASE = "rephrase"


class Prompt(NamedTuple):
    """`directive` tells the responder to say it in other words."""

    text: str
    variant: int
    directive: str | None = None


def choose_prompt(node: Node, strategy: VariantStrategy, attempts_before: int) -> Prompt | None:
    """The variant for a decision, by the attempts made before it; None for a node that has no words."""
    count = len(node.prompts)
    if not count:
        return None
    if strategy is VariantStrategy.ROTATE:
        variant = attempts_before % count
    elif strategy is VariantStrategy.ESCALATE:
        variant = min(attempts_before, count - 1)
    else:
        return Prompt(node.prompts[0], 0, REPHRASE if attempts_before else None)
    return Prompt(node.prompts[variant], variant)
