"""Random flows (as JSON documents that load) and random visitors."""

from hypothesis import strategies as st

FACTS = ["a", "b", "c", "d"]
RAW = {"raw_a": "a", "raw_b": "b"}
STATES = ["S1", "S2", "HANDOFF_REQUESTED"]
GATES = ["G1", "G2", "G3"]


def subsets(names, max_size=3):
    return st.lists(st.sampled_from(names), unique=True, max_size=max_size)


def optional(**keys):
    return st.fixed_dictionaries({}, optional=keys)


policies = optional(
    maxAttempts=st.sampled_from([1, 2, 3, 12]),
    onExhaust=st.sampled_from(["CLARIFY", "BROADEN", "HANDOFF", "SKIP"]),
    cooldownTurns=st.sampled_from([0, 0, 1, 2, 4]),
)
gates = st.fixed_dictionaries(
    {name: st.fixed_dictionaries({"satisfiedBy": optional(
        metricsAll=subsets(FACTS, 2), metricsAny=subsets(FACTS, 2), statesAll=subsets(STATES[:2], 1)
    )}) for name in GATES}
)  # fmt: skip
bodies = st.fixed_dictionaries(
    {"importance": st.sampled_from(["high", "normal", "low"])},
    optional={
        "requires": subsets(GATES, 1),
        "requiresStates": subsets(STATES, 1),
        "produces": subsets([*FACTS, *RAW], 2),
        "satisfies": optional(gates=subsets(GATES, 2), states=subsets(STATES[:2], 1)),
        "runPolicy": st.fixed_dictionaries({"maxExecutions": st.sampled_from([0, 1, 1, 2, 3, 12])}),
        "retryPolicy": policies,
        "skipIfSatisfied": st.booleans(),
    },
)
goals = st.one_of(
    st.sampled_from(GATES).map(lambda gate: {"type": "GATE", "gate": gate}),
    st.sampled_from(STATES[:2]).map(lambda state: {"type": "STATE", "state": state}),
)


@st.composite
def flows(draw, max_nodes=5):
    nodes = draw(st.lists(bodies, min_size=1, max_size=max_nodes))
    flow = {
        "primaryGoal": draw(goals),
        "gateDefinitions": draw(gates),
        "factAliases": dict(RAW),
        "nodes": [{"id": f"n{place}", **body} for place, body in enumerate(nodes)],
    }
    if draw(st.booleans()):
        flow["defaults"] = {"retryPolicy": draw(policies)}
    if draw(st.booleans()):
        flow["postGoalPolicy"] = "CONTINUE_HIGH"
    return flow


replies = st.lists(
    st.dictionaries(st.sampled_from([*FACTS, *RAW, "unheard_of"]), st.just("x"), max_size=3),
    min_size=1,
    max_size=25,
)
