"""Seed 003's figures of one conversation, so that sums of them give its means and rates, in all and by group."""

from collections.abc import Iterator

from audit.metrics.keys import Amount, Measure, Part
from audit.metrics.parts.conversation import is_message
from audit.metrics.talks import Talk
from conversations.domain.closure import Outcome
from conversations.domain.loops import FOUND
from conversations.domain.relationship import Driver
from flows.engine.runtime import Status

WELL = (Outcome.SUCCESS, Outcome.SIGNED)
BETWEEN = "|"


def parts(talk: Talk) -> Iterator[Part]:
    first = next((event.content for event in talk.events if event.type == FOUND), None)
    if first is None:
        group = alarm_group("", talk.policy_version)
    else:
        group = alarm_group(first["rule"], first["policy_version"])
        yield Part(Measure.WORKFLOW_LOOPED, talk.begun, group)
    yield Part(Measure.WORKFLOW, talk.begun, group, Amount(1, length(talk)))
    if talk.closed is not None:
        yield Part(Measure.WORKFLOW_CLOSED, talk.begun, group)
        if talk.outcome in WELL or talk.status is Status.COMPLETE:
            yield Part(Measure.WORKFLOW_WELL, talk.begun, group)
    if talk.rating is not None:
        yield Part(Measure.WORKFLOW_RATED, talk.begun, group, Amount(1, talk.rating))


def length(talk: Talk) -> int:
    """A relay counts its intents, every other driver its messages: both by headers, which no erasure takes away."""
    return talk.depth if talk.driver == Driver.RELAY else sum(map(is_message, talk.events))


def alarm_group(rule: str, policy_version: str) -> str:
    """Of the first alarm; without one no rule, and the version in force when the conversation began."""
    return f"{rule}{BETWEEN}{policy_version}"


def split_group(group: str) -> tuple[str, str]:
    """The rule and the policy version of a group."""
    rule, _, version = group.partition(BETWEEN)
    return rule, version
