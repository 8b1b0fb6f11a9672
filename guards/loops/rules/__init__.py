"""One file a rule. Each looks only backwards, at bounded memory, and answers a finding or None."""

from guards.loops.rules.chanting import chanting
from guards.loops.rules.cycle import cycle
from guards.loops.rules.no_progress import no_progress
from guards.loops.rules.repeated_call import repeated_call
from guards.loops.rules.repeated_error import repeated_error
from guards.loops.rules.repeated_message import fills_a_template, repeated_message
from guards.loops.rules.reworded_call import brings_news, place, reworded_call

__all__ = [
    "brings_news",
    "chanting",
    "cycle",
    "fills_a_template",
    "no_progress",
    "place",
    "repeated_call",
    "repeated_error",
    "repeated_message",
    "reworded_call",
]
