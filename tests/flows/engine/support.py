"""Short words for building flows and talking to them."""

from flows.engine.compiled import load
from flows.engine.outcome import Reply
from flows.engine.runner import advance

MUTE = {}


def node(node_id, **keys):
    return {"id": node_id, **keys}


def flow(*nodes, gates=None, goal="GOAL", **keys):
    """A flow whose goal gate needs the fact `goal` unless `gates` says otherwise."""
    rules = {"GOAL": {"metricsAll": ["goal"]}, **(gates or {})}
    return {
        "name": "test",
        "primaryGoal": {"type": "GATE", "gate": goal},
        "gateDefinitions": {name: {"satisfiedBy": rule} for name, rule in rules.items()},
        "nodes": list(nodes),
        **keys,
    }


def policy(attempts, on_exhaust, **keys):
    return {"maxAttempts": attempts, "onExhaust": on_exhaust, **keys}


def asker(node_id="goal-1", produces=("goal",), gates=("GOAL",), **keys):
    return node(node_id, produces=list(produces), satisfies={"gates": list(gates)}, **keys)


def teller(node_id="hello-1", *, states=("HELLO",), cap=1, **keys):
    return node(node_id, satisfies={"states": list(states)}, runPolicy={"maxExecutions": cap}, **keys)


def two_resting(cooldown):
    gates = {"A": {"metricsAll": ["a"]}}
    high = asker("A", ["a"], ["A"], importance="high", retryPolicy=policy(9, "HANDOFF", cooldownTurns=cooldown))
    return flow(high, asker(retryPolicy=policy(9, "HANDOFF")), gates=gates)


class Talk:
    """A conversation with a flow, remembering what was decided."""

    def __init__(self, document, **options):
        self.flow = load(document)
        self.options = options
        self.state = None
        self.answer = None
        self.heard = []

    def say(self, text="", **facts):
        return self.take(advance(self.flow, self.state, Reply(text, facts), **self.options))

    def take(self, advanced):
        self.state, self.answer, _ = advanced
        new = [f"{s.decision.node_id}:{s.decision.mode}" for s in self.answer.spoken]
        self.heard += new
        return new

    def stay_mute(self, messages):
        for _ in range(messages):
            self.say()
        return self.heard

    @property
    def status(self):
        return self.answer.status

    @property
    def codes(self):
        return [str(code) for code in self.answer.spoken[-1].decision.codes]

    def rules(self, node_id):
        return [entry["rule"] for entry in self.answer.why_not[node_id]]
