"""A flow as a picture: facts and states → gates → nodes, in layers from top to bottom. Pure; gives SVG text.

What no visitor can reach stands in a band of its own, dashed and labelled: colour never says anything alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr  # nosec B406

from flows.engine.checks.closure import Atom, Closure, Derivation
from flows.engine.definition import FlowDefinition
from flows.engine.findings import pointer

MAX_ITEMS = 400
COLUMN, LAYER, WIDTH, HEIGHT, MARGIN = 196, 92, 176, 52, 16
MIDDLE, LABEL = WIDTH // 2, 24
STRANDED = ("fact", "state", "gate", "node")

Edge = tuple[Atom, Atom]


@dataclass(frozen=True, slots=True)
class Box:
    """Where an item stands, and what is said of it."""

    atom: Atom
    path: str
    x: int
    y: int
    reachable: bool
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    boxes: Mapping[Atom, Box]
    edges: tuple[Edge, ...]
    critical: frozenset[Edge]
    width: int
    height: int


def draw(definition: FlowDefinition) -> str | None:
    """The flow as SVG, or None when it is too large to be looked at."""
    items = dict(_items(definition))
    if len(items) > MAX_ITEMS:
        return None
    return _svg(_laid_out(definition, items))


def _items(definition: FlowDefinition) -> Iterator[tuple[Atom, str]]:
    """Everything there is, with its place in the document."""
    for place, node in enumerate(definition.nodes):
        yield Atom("node", node.id), pointer("nodes", place)
        for state in (*node.states, *node.requires_states):
            yield Atom("state", state), pointer("nodes", place)
        for fact in definition.produced_by(node):
            yield Atom("fact", fact), pointer("facts", fact)
    for name, gate in definition.gates.items():
        yield Atom("gate", name), pointer("gateDefinitions", name)
        for fact in gate.metrics:
            yield Atom("fact", fact), pointer("facts", fact)
        for state in gate.states_all or ():
            yield Atom("state", state), pointer("gateDefinitions", name)


def _edges(definition: FlowDefinition) -> Iterator[Edge]:
    for name, gate in definition.gates.items():
        for fact in gate.metrics:
            yield Atom("fact", fact), Atom("gate", name)
        for state in gate.states_all or ():
            yield Atom("state", state), Atom("gate", name)
    for node in definition.nodes:
        itself = Atom("node", node.id)
        for gate_name in node.requires:
            yield Atom("gate", gate_name), itself
        for state in node.requires_states:
            yield Atom("state", state), itself
        for fact in definition.produced_by(node):
            yield itself, Atom("fact", fact)
        for state in node.states:
            yield itself, Atom("state", state)


def _laid_out(definition: FlowDefinition, items: Mapping[Atom, str]) -> Drawing:
    closure = Closure(definition)
    derived = closure.derive()
    critical_nodes = closure.critical_nodes(derived)
    edges = tuple(dict.fromkeys(edge for edge in _edges(definition) if edge[0] in items and edge[1] in items))
    places, width, height = _places(items, edges, derived)
    boxes = {
        atom: Box(atom, path, *places[atom], atom in derived, tuple(_marks(atom, closure.goal, critical_nodes)))
        for atom, path in items.items()
    }
    return Drawing(boxes, edges, frozenset(_behind(closure.goal, derived)), width, height)


def _marks(atom: Atom, goal: Atom, critical: set[str]) -> Iterator[str]:
    if atom == goal:
        yield "goal"
    if atom.kind == "node" and atom.name in critical:
        yield "critical"


def _places(
    items: Iterable[Atom], edges: Iterable[Edge], derived: Derivation
) -> tuple[dict[Atom, tuple[int, int]], int, int]:
    """A layer for each step from the beginning; in a layer, items stand near what leads to them."""
    sources: dict[Atom, list[Atom]] = defaultdict(list)
    for source, target in edges:
        sources[target].append(source)
    layers = _layers(items, derived)
    widest = max(map(len, layers), default=1)
    centres: dict[Atom, float] = {}
    places: dict[Atom, tuple[int, int]] = {}
    for depth, layer in enumerate(layers):
        start = MARGIN + (widest - len(layer)) * COLUMN // 2
        ordered = sorted(layer, key=lambda atom: _near(atom, sources, centres))
        for place, atom in enumerate(ordered):
            places[atom] = (start + place * COLUMN, MARGIN + depth * LAYER)
            centres[atom] = start + place * COLUMN
    width = 2 * MARGIN + (widest - 1) * COLUMN + WIDTH
    return places, width, 2 * MARGIN + max(len(layers) - 1, 0) * LAYER + HEIGHT


def _layers(items: Iterable[Atom], derived: Derivation) -> list[list[Atom]]:
    """What can be reached, by the number of steps to it; below it what cannot, by kind."""
    ranks = _ranks(derived)
    layers: dict[tuple[int, int], list[Atom]] = defaultdict(list)
    for atom in items:
        key = (0, ranks[atom]) if atom in derived else (1, STRANDED.index(atom.kind))
        layers[key].append(atom)
    return [layers[key] for key in sorted(layers)]


def _near(atom: Atom, sources: Mapping[Atom, list[Atom]], centres: Mapping[Atom, float]) -> float:
    known = [centres[source] for source in sources.get(atom, ()) if source in centres]
    return sum(known) / len(known) if known else 0.0


def _ranks(derived: Derivation) -> dict[Atom, int]:
    """How many steps lead to an item; what it was derived from comes earlier in the mapping."""
    ranks: dict[Atom, int] = {}
    for atom, body in derived.items():
        before = max((ranks[each] for each in body), default=-1)
        ranks[atom] = before + (atom.kind != "any")
    return ranks


def _behind(goal: Atom, derived: Derivation) -> Iterator[Edge]:
    """The steps of one way to the goal."""
    stack, seen = [(goal, goal)], set()
    while stack:
        atom, target = stack.pop()
        for source in derived.get(atom, ()):
            # “any of” is a rule, not an item: its facts lead straight to the gate
            head = target if source.kind == "any" else source
            if source.kind != "any":
                yield source, target
            if (source, head) not in seen:
                seen.add((source, head))
                stack.append((source, head))


def _svg(drawing: Drawing) -> str:
    size = f'width="{drawing.width}" height="{drawing.height}" viewBox="0 0 {drawing.width} {drawing.height}"'
    body = [*_lines(drawing), *(_box(box) for box in drawing.boxes.values())]
    name = "The flow: facts and states lead to gates, gates to nodes"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fd" role="group" aria-label="{name}" {size}>'
        f"{''.join(body)}</svg>"
    )


def _lines(drawing: Drawing) -> Iterator[str]:
    for edge in drawing.edges:
        source, target = (drawing.boxes[atom] for atom in edge)
        classes = "fd-edge"
        if edge in drawing.critical:
            classes += " fd-critical"
        if not (source.reachable and target.reachable):
            classes += " fd-unreachable"
        yield f'<path class="{classes}" d="{_curve(source, target)}"/>'


def _curve(source: Box, target: Box) -> str:
    x1, x2 = source.x + MIDDLE, target.x + MIDDLE
    if target.y > source.y:
        y1, y2 = source.y + HEIGHT, target.y
        bend = (y2 - y1) // 2
        return f"M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"
    # upwards: round the right side, so that the line does not hide behind the boxes
    x1, x2, y1, y2 = x1 + MIDDLE, x2 + MIDDLE, source.y + HEIGHT // 2, target.y + HEIGHT // 2
    out = max(x1, x2) + 14
    return f"M{x1} {y1}C{out} {y1} {out} {y2} {x2} {y2}"


def _box(box: Box) -> str:
    kind, name = box.atom
    said = [kind, *box.marks, *([] if box.reachable else ["never reached"])]
    title, words = f"{name}: {', '.join(said)}", " · ".join(said)
    classes = " ".join(["fd-item", f"fd-{kind}", *(f"fd-{mark}" for mark in box.marks)])
    if not box.reachable:
        classes += " fd-unreachable"
    short = name if len(name) <= LABEL else name[: LABEL - 1] + "…"
    round_by = HEIGHT // 2 if kind == "gate" else 6
    figures = f'<text class="fd-figures" x="{MIDDLE}" y="{HEIGHT - 5}" data-figures={quoteattr(name)}/>'
    return (
        f'<a class="{classes}" href="#{kind}" data-path={quoteattr(box.path)} transform="translate({box.x} {box.y})">'
        f'<title>{escape(title)}</title><rect width="{WIDTH}" height="{HEIGHT}" rx="{round_by}"/>'
        f'<text class="fd-kind" x="{MIDDLE}" y="15">{escape(words)}</text>'
        f'<text class="fd-name" x="{MIDDLE}" y="33">{escape(short)}</text>{figures if kind == "node" else ""}</a>'
    )
