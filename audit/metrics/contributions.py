"""The whole roll-up as one function of a conversation: a figure is the sum of what each conversation adds to it.

Because it looks at the conversation as it now is, and never at what was counted before, counting again cannot count
twice: the service stores what each conversation added and replaces it.
"""

from audit.metrics.keys import SUBJECT_LENGTH, Amount, Key
from audit.metrics.parts import conversation, flow, guards, handoffs, replies, workflow
from audit.metrics.talks import Talk

SOURCES = (conversation.parts, flow.parts, handoffs.parts, replies.parts, guards.parts, workflow.parts)

Contributions = dict[Key, Amount]


def contributions(talk: Talk) -> Contributions:
    """What this conversation adds, by key."""
    added: Contributions = {}
    for source in SOURCES:
        for part in source(talk):
            key = Key(
                day=part.at.date(),
                measure=part.measure.value,
                flow=talk.flow,
                subject=part.subject[:SUBJECT_LENGTH],
                channel=talk.channel,
                driver=talk.driver,
            )
            added[key] = added[key].plus(part.amount) if key in added else part.amount
    return added
