"""Hops asked for from outside a turn: by an operator, by a handoff, by the return to the bot."""

from dataclasses import dataclass, replace

from conversations.domain.dialogue.outcome import Transition
from conversations.domain.dialogue.record import DialogueState, SideColumns
from conversations.domain.dialogue.states import State, is_legal, legal_targets, path_to_handoff


@dataclass(frozen=True, slots=True)
class TransitionRefused:
    """Why a hop was not made, and where the dialogue could go instead."""

    code: str
    source: State
    target: State
    legal_targets: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """The record after hops that no message caused."""

    state: DialogueState
    side: SideColumns
    transitions: tuple[Transition, ...]


def request_transition(
    state: DialogueState, side: SideColumns, target: State, trigger: str
) -> Moved | TransitionRefused:
    """Make one hop if the table allows it and the target would not be left without what it needs."""
    source = state.state
    if not is_legal(source, target):
        return TransitionRefused("illegal_transition", source, target, legal_targets(source))
    if target is State.AWAITING_CONFIRMATION and state.pending_confirmation.action is None:
        return TransitionRefused("nothing_to_confirm", source, target, legal_targets(source))
    return _moved(state, side, (target,), trigger)


def hand_over(state: DialogueState, side: SideColumns, reason: str) -> Moved:
    """Bring the dialogue to `handoff` from wherever it is, when a person takes or is asked to take over."""
    return _moved(state, side.handed_over(reason), path_to_handoff(state.state), reason)


def return_to_bot(state: DialogueState, side: SideColumns) -> Moved | TransitionRefused:
    """Give the dialogue back to the machine after a person has dealt with it."""
    if state.state is not State.HANDOFF:
        return TransitionRefused("not_in_handoff", state.state, State.IDLE, legal_targets(state.state))
    return _moved(state, replace(side, handoff_reason=None), (State.IDLE,), "returned_to_bot")


def _moved(state: DialogueState, side: SideColumns, targets: tuple[State, ...], trigger: str) -> Moved:
    transitions: list[Transition] = []
    for target in targets:
        transitions.append((state.state.value, target.value, trigger))
        state = state.moved_to(target).with_counters_reset()
    return Moved(state, side, tuple(transitions))
