"""What the engine says after a message: the flow's part of the answer of `/turns`."""

from dataclasses import dataclass
from typing import Any

from .explain import WhyNot
from .prompts import Prompt
from .runtime import Status
from .steps import Decision


@dataclass(frozen=True, slots=True)
class Spoken:
    """A decision with the words that explain it and the words to say."""

    decision: Decision
    reason: str
    prompt: Prompt | None

    def to_json(self) -> dict[str, Any]:
        decision = self.decision
        return {
            "turnIndex": decision.turn_index,
            "nodeId": decision.node_id,
            "mode": decision.mode.value if decision.mode else None,
            "reason": self.reason,
            "reasonCodes": [code.value for code in decision.codes],
            "prompt": self.prompt.text if self.prompt else None,
            "directive": self.prompt.directive if self.prompt else None,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    spoken: tuple[Spoken, ...]
    status: Status
    facts_produced: tuple[str, ...]
    facts_ignored: tuple[str, ...]
    states_produced: tuple[str, ...]
    gates_lost: tuple[str, ...]
    gates_satisfied: tuple[str, ...]
    quick_replies: tuple[str, ...]
    why_not: WhyNot

    def reply(self) -> dict[str, Any] | None:
        """What to say: the prompts of this message's decisions, one paragraph each; None is silence."""
        texts = [spoken.prompt.text for spoken in self.spoken if spoken.prompt]
        if not texts:
            return None
        quick = [{"title": title, "meaning": None, "target_id": None} for title in self.quick_replies]
        return {"text": "\n\n".join(texts), "quick_replies": quick, "cards": []}

    def to_json(self) -> dict[str, Any]:
        """The contract's names and shapes."""
        return {
            "decisions": [spoken.to_json() for spoken in self.spoken],
            "status": self.status.value,
            "factsProduced": list(self.facts_produced),
            "factsIgnored": list(self.facts_ignored),
            "statesProduced": list(self.states_produced),
            "gatesLost": list(self.gates_lost),
            "gatesSatisfied": list(self.gates_satisfied),
            "reply": self.reply(),
            "why_not": self.why_not,
        }
