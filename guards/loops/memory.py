"""What the detector remembers: bounded, and the same after a trip through JSON."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from guards.loops.text import mask_volatile, word_list, words

WINDOW = 20  # calls, and messages, looked back upon
MAX_PERIOD = 24  # steps in the longest round that is recognised
ROUNDS = 3  # how often it must have been gone through
TOLD = 256
_VERSION = 1

Words = frozenset[str]


@dataclass(slots=True)
class CallMemory:
    """A call, and what it answered once that is known. Texts are excerpts."""

    index: int
    operation: str
    key: str
    asked: str
    is_code: bool
    epoch: int
    batch: int = -1  # the first of the calls that ask the same about different things
    near: tuple[int, ...] = ()
    outcome: str | None = None
    answer: str = ""
    beyond_answer: int = 0
    failed: bool = False
    was_cut: bool = False
    brought_news: bool = False
    sequence: list[str] = field(init=False)
    words: Words = field(init=False)
    _answer_words: Words | None = None
    _masked_answer: str | None = None

    def __post_init__(self) -> None:
        self.sequence = word_list(self.asked)
        self.words = frozenset(self.sequence)

    @property
    def answer_words(self) -> Words:
        """Read only when two answers are compared, which most never are."""
        if self._answer_words is None:
            self._answer_words = words(self.answer)
        return self._answer_words

    def answers_alike(self, other: CallMemory) -> bool:
        """Both got the same answer, volatile parts apart, or both none yet."""
        if self.outcome is None or other.outcome is None or self.was_cut or other.was_cut:
            return self.outcome == other.outcome
        if self.outcome == other.outcome:
            return True
        return self.beyond_answer == other.beyond_answer and self.masked_answer == other.masked_answer

    @property
    def masked_answer(self) -> str:
        """Read only when two answers are compared."""
        if self._masked_answer is None:
            self._masked_answer = mask_volatile(self.answer)
        return self._masked_answer

    @property
    def failure(self) -> Words:
        """An error without the arguments it echoes and the figures it quotes: its signature."""
        return frozenset(word for word in self.answer_words - self.words if word.isalpha())

    def to_json(self) -> list[Any]:
        """Positional, because twenty-four of them are stored with every conversation."""
        return [
            self.index, self.operation, self.key, self.asked, self.is_code, self.epoch, self.batch,
            list(self.near), self.outcome, self.answer, self.beyond_answer,
            self.failed, self.was_cut, self.brought_news,
        ]  # fmt: skip

    @classmethod
    def from_json(cls, raw: list[Any]) -> CallMemory:
        """The inverse of to_json."""
        index, operation, key, asked, is_code, epoch, batch, near, *answered = raw
        return cls(index, operation, key, asked, is_code, epoch, batch, tuple(near), *answered)


@dataclass(slots=True)
class MessageMemory:
    """A message by its excerpt; messages that say the same share a key."""

    index: int
    actor: str
    key: str
    text: str
    by_person: bool
    words: Words = field(init=False)

    def __post_init__(self) -> None:
        self.words = words(self.text)

    def to_json(self) -> list[Any]:
        """Positional, as for calls."""
        return [self.index, self.actor, self.key, self.text, self.by_person]

    @classmethod
    def from_json(cls, raw: list[Any]) -> MessageMemory:
        """The inverse of to_json."""
        return cls(*raw)


@dataclass(slots=True)
class DetectorState:
    """Everything needed to continue detection later, in another process."""

    position: int = 0
    epoch: int = 0  # moves when a person brings new information
    last_person_message: int = -1
    calls: deque[CallMemory] = field(default_factory=lambda: deque(maxlen=WINDOW))
    messages: deque[MessageMemory] = field(default_factory=lambda: deque(maxlen=WINDOW))
    symbols: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_PERIOD))
    trail: deque[int] = field(default_factory=lambda: deque(maxlen=ROUNDS * MAX_PERIOD))  # step of each symbol
    told: dict[str, None] = field(default_factory=dict)  # names and figures from people
    runs: dict[int, int] = field(default_factory=dict)  # period → steps for which the past has been repeating

    def to_json(self) -> dict[str, Any]:
        """A JSON object of bounded size."""
        return {
            "version": _VERSION,
            "position": self.position,
            "epoch": self.epoch,
            "last_person_message": self.last_person_message,
            "calls": [call.to_json() for call in self.calls],
            "messages": [said.to_json() for said in self.messages],
            "symbols": list(self.symbols),
            "trail": list(self.trail),
            "told": list(self.told),
            "runs": list(self.runs.items()),
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any] | None) -> DetectorState:
        """The inverse of to_json; nothing, or a state of another version, starts afresh."""
        if not raw or raw.get("version") != _VERSION:
            return cls()
        return cls(
            position=raw["position"],
            epoch=raw["epoch"],
            last_person_message=raw["last_person_message"],
            calls=deque(map(CallMemory.from_json, raw["calls"]), maxlen=WINDOW),
            messages=deque(map(MessageMemory.from_json, raw["messages"]), maxlen=WINDOW),
            symbols=deque(raw["symbols"], maxlen=MAX_PERIOD),
            trail=deque(raw["trail"], maxlen=ROUNDS * MAX_PERIOD),
            told=dict.fromkeys(raw["told"]),
            runs=dict(raw["runs"]),
        )
