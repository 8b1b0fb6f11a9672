"""Facts that a gate waits for in vain, and facts collected for nothing."""

from collections.abc import Iterator

from ..definition import FlowDefinition
from ..findings import Code, Finding, Level, pointer
from ..wording import sentence


def check(definition: FlowDefinition) -> Iterator[Finding]:
    """Set differences between what nodes produce and what gates need, after aliasing."""
    produced = {fact for node in definition.nodes for fact in definition.produced_by(node)}
    yield from _never_produced(definition, produced)
    yield from _unused(definition)


def _never_produced(definition: FlowDefinition, produced: set[str]) -> Iterator[Finding]:
    for name, gate in definition.gates.items():
        for key, facts in (("metricsAll", gate.metrics_all), ("metricsAny", gate.metrics_any)):
            for index, fact in enumerate(facts or ()):
                if fact not in produced and fact not in definition.aliases:
                    yield Finding(
                        Level.ERROR,
                        Code.FACT_NEVER_PRODUCED,
                        pointer("gateDefinitions", name, "satisfiedBy", key, index),
                        sentence(
                            "gate %(gate)s needs the fact “%(fact)s”, which no node produces", gate=name, fact=fact
                        ),
                        sentence("let a node produce “%(fact)s”, or correct the name", fact=fact),
                    )


def _unused(definition: FlowDefinition) -> Iterator[Finding]:
    used = {fact for gate in definition.gates.values() for fact in gate.metrics}
    for place, node in enumerate(definition.nodes):
        for index, raw in enumerate(node.produces):
            fact = definition.canonical(raw)
            if fact not in used:
                yield Finding(
                    Level.INFO,
                    Code.FACT_UNUSED,
                    pointer("nodes", place, "produces", index),
                    sentence("the fact “%(fact)s” is collected, but no gate uses it", fact=fact),
                    sentence("fine if people read it; otherwise stop asking for it"),
                    node.id,
                )
