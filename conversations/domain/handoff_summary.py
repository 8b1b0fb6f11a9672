"""What happened so far, for whoever picks a conversation up: kept as figures, said as a line or two."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from conversations.domain.events import INTENT, RESPONSE_PREFIX
from conversations.domain.handoff import NOTED

SAID = 3


class Told(Protocol):
    """An event that happened, or is about to in the same transaction."""

    @property
    def type(self) -> str: ...

    @property
    def content(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Summary:
    """`known` are names of facts, `asked` the bot's last words, `said` the last words of anybody."""

    events: int
    depth: int
    max_depth: int
    known: list[str]
    asked: str
    said: list[str]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def in_words(self) -> str:
        """In English, as the API and the record have it."""
        count = "1 event" if self.events == 1 else f"{self.events} events"
        parts = [f"{count}, depth {self.depth}/{self.max_depth}" if self.depth else count]
        if self.known:
            parts.append(f"Known: {', '.join(self.known)}")
        if self.asked:
            parts.append(f"Last asked: {self.asked}")
        if self.said:
            parts.append(f"Said: {' · '.join(self.said)}")
        return sentences(parts)


def summary_of(events: Sequence[Told], now: Sequence[Told] = (), *, depth: int, max_depth: int) -> Summary:
    """What happened so far; what was noted was not said.

    `now` is what leads to the request: its words count, its reply (that somebody comes) is no question.
    """
    everything = [*events, *now]
    said = [line for event in everything if event.type != NOTED and (line := spoken(event))]
    asked, known = last_asked(events), known_facts(everything)
    return Summary(len(everything), depth, max_depth, known, asked, said[-SAID:])


def sentences(parts: Sequence[str]) -> str:
    """One after the other, each with one end; the last has none."""
    return "".join(map(sentence, parts[:-1])) + parts[-1].rstrip(".")


def sentence(part: str) -> str:
    return f"{part} " if part.endswith(("?", "!", "…")) else f"{part.rstrip('.')}. "


def known_facts(events: Sequence[Told]) -> list[str]:
    """The names of what a flow has learnt; the values stand beside the chat."""
    names: set[str] = set()
    for step in (step for event in events for step in event.content.get("steps", ())):
        names.update(step.get("facts", ()), step.get("setFacts", ()))
        names.difference_update(step.get("removeFacts", ()))
    return sorted(names)


def last_asked(events: Sequence[Told]) -> str:
    """The bot's last words, short."""
    replies = (event.content.get("reply") for event in reversed(events))
    return next((str(reply["text"])[-120:] for reply in replies if isinstance(reply, Mapping)), "")


def spoken(event: Told) -> str:
    """The words of an event, short."""
    text = event.content.get("text") or event.content.get("humotica") or ""
    if not text and event.type == INTENT:
        text = str(event.content.get("intent", ""))
    if not text and event.type.startswith(RESPONSE_PREFIX):
        text = event.type
    return str(text)[:120]
