"""A JSON document becomes a `FlowDefinition` and findings. Bad ones never raise and cost bounded time."""

import json
from typing import Any, NamedTuple

from .definition import (
    FactSpec,
    FactType,
    FlowDefinition,
    Gate,
    Goal,
    GoalType,
    Importance,
    Node,
    OnExhaust,
    PostGoalPolicy,
    RetryPolicy,
    VariantStrategy,
)
from .findings import Finding
from .patterns import pattern_problem
from .reader import MAX_NAME, Path, Reader
from .wording import Sentence, sentence

MAX_NODES = 2_000
MAX_ENTRIES = 5_000
MAX_TITLE = 200
MAX_PROMPT = 4_000
MAX_PROMPTS = 20
MAX_ATTEMPTS = 100
MAX_EXECUTIONS = 1_000
MAX_COOLDOWN = 1_000

_FLOW_KEYS = (
    "name",
    "primaryGoal",
    "postGoalPolicy",
    "defaults",
    "gateDefinitions",
    "factAliases",
    "facts",
    "nodes",
)
_GATE_KEYS = ("metricsAll", "metricsAny", "statesAll")
_RETRY_KEYS = ("maxAttempts", "onExhaust", "cooldownTurns", "promptVariantStrategy")
_NODE_KEYS = (
    "id",
    "title",
    "importance",
    "requires",
    "requiresStates",
    "produces",
    "satisfies",
    "runPolicy",
    "retryPolicy",
    "prompts",
    "skipIfSatisfied",
)


class Parsed(NamedTuple):
    """`definition` is None when something had to be dropped, so that no check judges half a flow."""

    definition: FlowDefinition | None
    findings: tuple[Finding, ...]


def parse(document: Any) -> Parsed:
    """Read a decoded JSON document."""
    reader = Reader()
    if not isinstance(document, dict):
        reader.refuse((), sentence("the definition must be a JSON object"), sentence("start with { and end with }"))
        return Parsed(None, tuple(reader.findings))
    top = reader.record((), document, _FLOW_KEYS)
    defaults = reader.record(("defaults",), top.get("defaults"), ("retryPolicy",))
    definition = FlowDefinition(
        name=reader.text(("name",), top.get("name"), limit=MAX_TITLE),
        goal=_goal(reader, top.get("primaryGoal")),
        post_goal=reader.choice(("postGoalPolicy",), top.get("postGoalPolicy"), PostGoalPolicy, PostGoalPolicy.STOP),
        default_retry=_retry(reader, ("defaults", "retryPolicy"), defaults.get("retryPolicy")),
        gates=_gates(reader, top.get("gateDefinitions")),
        aliases=_aliases(reader, top.get("factAliases")),
        facts=_facts(reader, top.get("facts")),
        nodes=_nodes(reader, top.get("nodes")),
    )
    return Parsed(definition if reader.sound else None, tuple(reader.findings))


def parse_text(text: str) -> Parsed:
    """Read JSON text: not JSON, repeated keys, NaN and bottomless nesting are findings too."""
    try:
        return parse(json.loads(text, object_pairs_hook=_no_repeats, parse_constant=_no_constants))
    except (ValueError, RecursionError) as error:
        reader = Reader()
        reader.refuse((), _not_json(error), sentence("check commas, quotes and brackets"))
        return Parsed(None, tuple(reader.findings))


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJson(sentence("a key is written twice in one object"))
    return found


def _no_constants(word: str) -> Any:
    raise NotJson(sentence("%(word)s is not JSON", word=word))


class NotJson(ValueError):
    """Python reads it, JSON does not know it."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(str(why))
        self.why = why


def _not_json(error: Exception) -> Sentence:
    """What is wrong with the text, and where; the reader's own words are English in every language."""
    if isinstance(error, NotJson):
        return sentence("is not JSON: %(why)s", why=error.why)
    if isinstance(error, json.JSONDecodeError):
        return sentence(
            "is not JSON at line %(line)s, column %(column)s: %(why)s",
            line=error.lineno,
            column=error.colno,
            why=error.msg,
        )
    return sentence("is not JSON: %(why)s", why=str(error)[:MAX_NAME])


def _goal(reader: Reader, value: Any) -> Goal:
    path: Path = ("primaryGoal",)
    if value is None:
        reader.refuse(path, sentence("is missing"), sentence('write {"type": "GATE", "gate": "BOOKING"}'))
    record = reader.record(path, value, ("type", "gate", "state"))
    type_ = reader.choice((*path, "type"), record.get("type"), GoalType, GoalType.GATE)
    wanted, other = ("gate", "state") if type_ is GoalType.GATE else ("state", "gate")
    if record.get(other) is not None:
        why = sentence("does not belong to a %(type)s goal", type=type_.value)
        reader.refuse((*path, other), why, sentence("remove it"), drops=False)
    name = reader.name((*path, wanted), record.get(wanted)) if value is not None else ""
    return Goal(type_, name)


def _retry(reader: Reader, path: Path, value: Any) -> RetryPolicy | None:
    if value is None:
        return None
    record = reader.record(path, value, _RETRY_KEYS)
    usual = RetryPolicy()
    attempts = reader.integer((*path, "maxAttempts"), record.get("maxAttempts"), low=1, high=MAX_ATTEMPTS)
    cooldown = reader.integer((*path, "cooldownTurns"), record.get("cooldownTurns"), low=0, high=MAX_COOLDOWN)
    return RetryPolicy(
        max_attempts=usual.max_attempts if attempts is None else attempts,
        on_exhaust=reader.choice((*path, "onExhaust"), record.get("onExhaust"), OnExhaust, usual.on_exhaust),
        cooldown_turns=cooldown or 0,
        prompt_variant_strategy=reader.choice(
            (*path, "promptVariantStrategy"),
            record.get("promptVariantStrategy"),
            VariantStrategy,
            usual.prompt_variant_strategy,
        ),
    )


def _gates(reader: Reader, value: Any) -> dict[str, Gate]:
    gates = {}
    for name, item in reader.mapping(("gateDefinitions",), value, limit=MAX_ENTRIES).items():
        path: Path = ("gateDefinitions", name)
        record = reader.record(path, item, ("satisfiedBy",))
        if record.get("satisfiedBy") is None:
            advice = sentence('write {"satisfiedBy": {"metricsAll": ["…"]}}')
            reader.refuse(path, sentence("has no satisfiedBy"), advice)
        inner = (*path, "satisfiedBy")
        rule = reader.record(inner, record.get("satisfiedBy"), _GATE_KEYS)
        gates[name] = Gate(*(reader.optional_names((*inner, key), rule.get(key)) for key in _GATE_KEYS))
    return gates


def _aliases(reader: Reader, value: Any) -> dict[str, str]:
    found = reader.mapping(("factAliases",), value, limit=MAX_ENTRIES)
    return {raw: reader.name(("factAliases", raw), target) for raw, target in found.items()}


def _facts(reader: Reader, value: Any) -> dict[str, FactSpec]:
    facts = {}
    for name, item in reader.mapping(("facts",), value, limit=MAX_ENTRIES).items():
        path: Path = ("facts", name)
        record = reader.record(path, item, ("type", "choices", "pattern"))
        type_ = reader.choice((*path, "type"), record.get("type"), FactType, FactType.TEXT)
        choices = reader.names((*path, "choices"), record.get("choices"))
        pattern = record.get("pattern")
        if type_ is FactType.CHOICE and not choices:
            advice = sentence('write ["morning", "evening"]')
            reader.refuse((*path, "choices"), sentence("a choice needs choices"), advice)
        if type_ is FactType.REGEX and pattern is None:
            advice = sentence("write the expression to match")
            reader.refuse((*path, "pattern"), sentence("a regex fact needs a pattern"), advice)
        facts[name] = FactSpec(type_, choices, _pattern(reader, (*path, "pattern"), pattern))
    return facts


def _pattern(reader: Reader, path: Path, value: Any) -> str | None:
    if value is None:
        return None
    text = reader.text(path, value, limit=MAX_PROMPT)
    problem = pattern_problem(text)
    if problem is not None:
        reader.refuse(path, problem, sentence("use a short expression without repeats inside repeats"))
    return text


def _nodes(reader: Reader, value: Any) -> tuple[Node, ...]:
    if value is None:
        reader.refuse(("nodes",), sentence("is missing"), sentence("write a list of nodes"))
    nodes: list[Node] = []
    for path, item in reader.items(("nodes",), value, limit=MAX_NODES):
        nodes.append(_node(reader, path, item, len(nodes)))
        reader.node = None
    return tuple(nodes)


def _node(reader: Reader, path: Path, value: Any, position: int) -> Node:
    if not isinstance(value, dict):
        reader.refuse_kind(path, value)
        return Node(id="", position=position)
    reader.node = reader.name((*path, "id"), value.get("id")) or None
    record = reader.record(path, value, _NODE_KEYS)
    satisfies = reader.record((*path, "satisfies"), record.get("satisfies"), ("gates", "states"))
    run = reader.record((*path, "runPolicy"), record.get("runPolicy"), ("maxExecutions",))
    prompts = reader.items((*path, "prompts"), record.get("prompts"), limit=MAX_PROMPTS)
    return Node(
        id=reader.node or "",
        position=position,
        title=reader.text((*path, "title"), record.get("title"), limit=MAX_TITLE),
        importance=reader.choice((*path, "importance"), record.get("importance"), Importance, Importance.NORMAL),
        requires=reader.names((*path, "requires"), record.get("requires")),
        requires_states=reader.names((*path, "requiresStates"), record.get("requiresStates")),
        produces=reader.names((*path, "produces"), record.get("produces")),
        gates=reader.optional_names((*path, "satisfies", "gates"), satisfies.get("gates")),
        states=reader.names((*path, "satisfies", "states"), satisfies.get("states")),
        max_executions=reader.integer(
            (*path, "runPolicy", "maxExecutions"), run.get("maxExecutions"), low=0, high=MAX_EXECUTIONS
        ),
        retry_policy=_retry(reader, (*path, "retryPolicy"), record.get("retryPolicy")),
        prompts=tuple(reader.text(place, text, limit=MAX_PROMPT) for place, text in prompts),
        skip_if_satisfied=reader.flag((*path, "skipIfSatisfied"), record.get("skipIfSatisfied")),
    )
