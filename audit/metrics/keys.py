"""What is counted, and by what: a figure is one measure of one day, flow, subject, channel and driver.

`Day` of a measure is said beside its name: a cohort is counted on the day its conversations began, whenever the rest
happened, so that rates compare like with like; everything else on the day it happened.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

SUBJECT_LENGTH = 200


class Measure(StrEnum):
    # conversations: on the day they began
    STARTED = "started"
    DEPTH = "depth"  # subject: bucket; total: intents
    LENGTH = "length"  # subject: bucket; total: messages
    # on the day they ended
    CLOSED = "closed"  # subject: closure type; total: milliseconds open
    EXPIRED = "expired"
    OUTCOME = "outcome"  # subject: outcome
    # flows, of conversations a flow answered at least once: on the day they began (F22)
    FLOW_STARTED = "flow_started"  # total: turns
    FLOW_CLOSED = "flow_closed"
    FLOW_COMPLETE = "flow_complete"
    FLOW_HANDED = "flow_handed"
    FLOW_DEADLOCK = "flow_deadlock"
    NODE_TRIED = "node_tried"  # subject: node; total: attempts
    NODE_RETRIED = "node_retried"  # total: retries
    NODE_HANDED = "node_handed"  # total: handoffs
    NODE_DROPPED = "node_dropped"  # the last node of a conversation that ended short of the goal
    GATE = "gate"  # subject: gate; total: the turn at which it was first satisfied
    # seed 003's figures of every conversation, by its first alarm's rule and policy version: on the day it began
    WORKFLOW = "workflow"  # subject: `alarm_group`; total: length
    WORKFLOW_LOOPED = "workflow_looped"
    WORKFLOW_CLOSED = "workflow_closed"
    WORKFLOW_WELL = "workflow_well"
    WORKFLOW_RATED = "workflow_rated"  # total: score
    # on the day it happened
    MESSAGES = "messages"  # times: messages
    GUARD = "guard"  # subject: guard; times: refusals
    LOOP = "loop"  # subject: rule; times: alarms
    HANDOFF = "handoff"  # on the day it was asked for; subject: how it ended
    CLAIM = "claim"  # on the day it was asked for; subject: bucket; total: milliseconds
    RESOLVE = "resolve"  # the same
    RATING = "rating"  # subject: score; total: score
    REPLY_RESPONDER = "reply_responder"  # subject: bucket; total: milliseconds
    REPLY_OPERATOR = "reply_operator"
    REPLY_PERSONA = "reply_persona"
    REPLY_AGENT = "reply_agent"


COHORT = (
    Measure.FLOW_STARTED,
    Measure.FLOW_CLOSED,
    Measure.FLOW_COMPLETE,
    Measure.FLOW_HANDED,
    Measure.FLOW_DEADLOCK,
    Measure.NODE_TRIED,
    Measure.NODE_RETRIED,
    Measure.NODE_HANDED,
    Measure.NODE_DROPPED,
    Measure.GATE,
)
WORKFLOWS = (
    Measure.WORKFLOW,
    Measure.WORKFLOW_LOOPED,
    Measure.WORKFLOW_CLOSED,
    Measure.WORKFLOW_WELL,
    Measure.WORKFLOW_RATED,
)
REPLIES = (Measure.REPLY_RESPONDER, Measure.REPLY_OPERATOR, Measure.REPLY_PERSONA, Measure.REPLY_AGENT)


class Key(NamedTuple):
    day: date
    measure: str
    flow: str
    subject: str
    channel: str
    driver: str


class Amount(NamedTuple):
    """How often, and the sum of what was measured: whole numbers, so that sums are exact in any order."""

    times: int = 1
    total: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.times + other.times, self.total + other.total)


class Part(NamedTuple):
    """One thing a conversation adds to the figures, before it is known under which key."""

    measure: Measure
    at: datetime
    subject: str = ""
    amount: Amount = Amount()
