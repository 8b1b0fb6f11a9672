"""What plugs into the pipeline: ordered, visible lists, no registration by magic."""

from collections.abc import Callable, Sequence
from typing import Any

from conversations.domain.errors import NotDrivenError
from conversations.domain.messages import Inbound, Kind
from conversations.drivers.assistant import AssistantDriver
from conversations.drivers.base import Decided, Driver
from conversations.drivers.flow import FlowDriver
from conversations.drivers.relay import RelayDriver
from conversations.drivers.thread import ThreadDriver
from conversations.drivers.workflow import WorkflowDriver
from conversations.models import Relationship
from conversations.services import loop_review

RELAY = RelayDriver()
FLOW = FlowDriver()
THREAD = ThreadDriver()

# A review looks at what was recorded and may act on it and add to the answer. Guards are asked by the one driver that
# speaks unasked, `ThreadDriver`: their verdicts are its answer.
REVIEWS: Sequence[Callable[..., dict[str, Any]]] = (loop_review.review,)

# What a driver does when a person gives the conversation back; a driver that is not here waits to be spoken to.
RESUMERS: dict[str, Callable[..., Decided]] = {"flow": FLOW.resume}

# Who answers a visitor's turn, by the conversation's driver.
TURN_DRIVERS: dict[str, Driver] = {"flow": FLOW, "assistant": AssistantDriver()}

# Who takes an agent's steps.
STEP_DRIVERS: dict[str, Driver] = {"workflow": WorkflowDriver()}


def driver_for(relationship: Relationship, message: Inbound) -> Driver:
    """Who handles this message in this conversation."""
    if message.kind in (Kind.INTENT, Kind.RESPONSE):
        return RELAY
    if message.kind == Kind.THREAD_EVENT:
        return THREAD
    drivers = STEP_DRIVERS if message.kind == Kind.STEP else TURN_DRIVERS
    if (driver := drivers.get(relationship.driver)) is None:
        raise NotDrivenError(f"A conversation driven by {relationship.driver} takes no {message.kind}.")
    return driver
