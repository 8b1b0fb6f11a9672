"""Refuse regular expressions that could hang the matcher on a hostile reply.

Length, repeats inside repeats, alternatives inside repeats and back-references are refused here; what remains
is at worst polynomial, and whoever matches must still set a time limit. No time limit holds while a pattern is
compiled, which writes counted repeats out: their number is bounded too.
"""

import re
import re._constants as ops  # the parse tree is the only exact way to see nesting
import re._parser as tree
from collections.abc import Iterator
from typing import Any

from .wording import Sentence, sentence

MAX_PATTERN = 200
MAX_COUNTED = 1_000
"""How often a part may stand in the pattern once its counted repeats, nested ones multiplied, are written out."""
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)


def pattern_problem(pattern: str) -> Sentence | None:
    """Why a pattern is refused, or None if it may be used."""
    if len(pattern) > MAX_PATTERN:
        return sentence("is longer than %(n)s characters", n=MAX_PATTERN)
    try:
        parsed = tree.parse(pattern)
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return sentence("is not a valid regular expression (%(why)s)", why=str(error))
    return next(_hazards(parsed), None)


def _hazards(items: Any, in_repeat: bool = False, times: int = 1) -> Iterator[Sentence]:
    for op, argument in items:
        if op in _REPEATS:
            low, high, body = argument
            if in_repeat and low != high:
                yield sentence("repeats something that itself repeats, which can take exponential time")
            written_out = times * max(1, low if high is ops.MAXREPEAT else high)
            if written_out > MAX_COUNTED:
                yield sentence("repeats a part more than %(n)s times", n=MAX_COUNTED)
            yield from _hazards(body, in_repeat or high > 1, written_out)
        elif op is ops.BRANCH:
            if in_repeat:
                yield sentence("repeats alternatives, which can take exponential time")
            for branch in argument[1]:
                yield from _hazards(branch, in_repeat, times)
        elif op in (ops.GROUPREF, ops.GROUPREF_EXISTS):
            yield sentence("refers back to a group, which can take exponential time")
        elif op is ops.SUBPATTERN:
            yield from _hazards(argument[-1], in_repeat, times)
        elif op is ops.ATOMIC_GROUP:
            yield from _hazards(argument, in_repeat, times)
        elif op in (ops.ASSERT, ops.ASSERT_NOT):
            yield from _hazards(argument[1], in_repeat, times)
