"""What each guard refused: the personas' guards by their verdicts, the dialogue's by what they fired on."""

from collections.abc import Iterator

from audit.metrics.keys import Measure, Part
from audit.metrics.talks import Talk
from conversations.domain import threads, turns
from conversations.domain.events import Recorded

DECIDED = frozenset({threads.SKIPPED, threads.DROPPED, threads.POSTPONED})


def parts(talk: Talk) -> Iterator[Part]:
    for event in talk.events:
        for guard in refused_by(event):
            yield Part(Measure.GUARD, event.at, guard)


def refused_by(event: Recorded) -> list[str]:
    """The guards that said no; a reply given up for another reason counts under that reason."""
    told = event.content
    if event.type == turns.TURN:
        return [note["name"] for note in told.get("guards", ()) if note.get("fired")]
    if event.type not in DECIDED:
        return []
    refusing = [verdict["guard"] for verdict in told.get("verdicts", ()) if not verdict["allowed"]]
    return refusing or [told["code"]] * bool(told.get("code"))
