"""Seed 001's own code with the rows of F, as plainly as it can be written: dictionaries, sets and loops.

It shares nothing with the engine (not even parsing) and is slow on purpose; Hypothesis proves the two equal.
"""

SCORE = {"high": 3, "normal": 2, "low": 1}
BUILT_IN = {"maxAttempts": 3, "onExhaust": "HANDOFF", "cooldownTurns": 0}


class Reference:
    def __init__(self, flow, consecutive_cap=10):
        self.flow = flow
        self.position = {node["id"]: place for place, node in enumerate(flow["nodes"])}
        self.cap = consecutive_cap
        self.facts, self.states = {}, set()
        self.attempts, self.executions, self.last_turn = {}, {}, {}
        self.clarified, self.broadened, self.skipped = set(), set(), set()
        self.grants = {}
        self.turn = 0
        self.run = (None, 0)
        self.open = None
        self.handoff = None
        self.status = "OK"
        self.update_gates()

    # --- definition -------------------------------------------------------------------------------------------
    def canonical(self, name):
        return self.flow.get("factAliases", {}).get(name, name)

    def produces(self, node):
        return [self.canonical(name) for name in node.get("produces", [])]

    def policy(self, node):
        default = self.flow.get("defaults", {}).get("retryPolicy", {})
        return {**BUILT_IN, **node.get("retryPolicy", default)}

    # --- gates ------------------------------------------------------------------------------------------------
    def gate_satisfied(self, name):
        rule = self.flow["gateDefinitions"][name]["satisfiedBy"]
        if "metricsAll" in rule and not all(fact in self.facts for fact in rule["metricsAll"]):
            return False
        if "metricsAny" in rule and not any(fact in self.facts for fact in rule["metricsAny"]):
            return False
        return not ("statesAll" in rule and not all(state in self.states for state in rule["statesAll"]))

    def update_gates(self):
        self.gates = {name for name in self.flow["gateDefinitions"] if self.gate_satisfied(name)}

    def goal_satisfied(self):
        goal = self.flow["primaryGoal"]
        if goal["type"] == "GATE":
            return goal["gate"] in self.gates
        return goal["state"] in self.states

    # --- eligibility ------------------------------------------------------------------------------------------
    def failing_rules(self, node):
        executions = self.executions.get(node["id"], 0)
        cap = node.get("runPolicy", {}).get("maxExecutions")
        failing = set()
        if cap is not None and executions >= cap:
            failing.add("EXEC_CAP")
        if any(gate not in self.gates for gate in node.get("requires", [])):
            failing.add("MISSING_GATES")
        if any(state not in self.states for state in node.get("requiresStates", [])):
            failing.add("MISSING_STATES")
        declared = node.get("satisfies", {}).get("gates")
        if declared is not None and all(gate in self.gates for gate in declared):  # noqa: SIM102
            if executions > 0 or node.get("skipIfSatisfied", False):
                failing.add("DONE")
        if node["id"] in self.skipped:
            failing.add("SKIPPED")
        return failing

    def is_cooling(self, node, turn):
        last = self.last_turn.get(node["id"])
        return last is not None and turn < last + self.policy(node)["cooldownTurns"] + 1

    def objective_met(self, node):
        satisfies = node.get("satisfies", {})
        if satisfies.get("gates"):
            return all(gate in self.gates for gate in satisfies["gates"])
        if node.get("produces"):
            return all(fact in self.facts for fact in self.produces(node))
        ran = self.executions.get(node["id"], 0) > 0
        return ran and all(state in self.states for state in satisfies.get("states", []))

    # --- modes ------------------------------------------------------------------------------------------------
    def mode(self, node):
        node_id, policy = node["id"], self.policy(node)
        attempts = self.attempts.get(node_id, 0)
        if attempts == 0 or self.objective_met(node):
            mode = "EXECUTE"
        elif (node_id in self.grants and attempts < self.grants[node_id]) or (
            node_id not in self.grants and node_id not in self.broadened and attempts < policy["maxAttempts"]
        ):
            mode = "RETRY"
        elif policy["onExhaust"] == "SKIP":
            return "SKIP", False
        elif policy["onExhaust"] == "CLARIFY" and node_id not in self.clarified:
            return self.guarded(node, "RETRY", clarify=True)
        elif policy["onExhaust"] == "BROADEN" and node_id not in self.broadened:
            return "BROADEN", False
        else:
            return "HANDOFF", False
        return self.guarded(node, mode, clarify=False)

    def guarded(self, node, mode, clarify):
        last, length = self.run
        if (length + 1 if last == node["id"] else 1) < self.cap:
            return mode, clarify
        unused = node["id"] not in self.broadened
        return ("BROADEN" if self.policy(node)["onExhaust"] == "BROADEN" and unused else "HANDOFF"), False

    # --- deciding ---------------------------------------------------------------------------------------------
    def order(self, node):
        attempted = self.attempts.get(node["id"], 0)
        score = 0 if node["id"] in self.broadened else SCORE[node.get("importance", "normal")]
        met_again = attempted > 0 and self.objective_met(node)
        return (met_again, -score, attempted, self.position[node["id"]], node["id"])

    def decide(self):
        """Seed 001's `selectNextNode`: (status, node, mode, clarify, ids skipped on the way); changes only gates."""
        if self.handoff:
            return "HANDOFF", None, None, False, set()
        self.update_gates()
        nodes = self.flow["nodes"]
        if self.goal_satisfied():
            if self.flow.get("postGoalPolicy") == "CONTINUE_HIGH":
                for node in nodes:
                    fresh = self.executions.get(node["id"], 0) == 0
                    if node.get("importance") == "high" and fresh and not self.failing_rules(node):
                        return "POST_GOAL", node, "EXECUTE", False, set()
            return "COMPLETE", None, None, False, set()
        eligible = [node for node in nodes if not self.failing_rules(node)]
        skipped = set()
        while eligible:
            candidates = [node for node in eligible if not self.is_cooling(node, self.turn + 1)] or eligible
            chosen = sorted(candidates, key=self.order)[0]
            mode, clarify = self.mode(chosen)
            if mode != "SKIP":
                return "HANDOFF" if mode == "HANDOFF" else "OK", chosen, mode, clarify, skipped
            skipped.add(chosen["id"])
            eligible = [node for node in eligible if node is not chosen]
        return "DEADLOCK", None, None, False, skipped

    def decide_and_apply(self):
        """One decision, made: (node id, mode), or (None, None) for a status, which is no turn."""
        status, node, mode, clarify, skipped = self.decide()
        self.status = status
        self.skipped |= skipped
        return self.make(node, mode, clarify) if node else (None, None)

    def make(self, node, mode, clarify):
        node_id = node["id"]
        scope = set(self.produces(node))
        if mode == "BROADEN":
            everyone = [each for each in self.flow["nodes"] if not self.failing_rules(each)]
            scope = {fact for each in everyone for fact in self.produces(each)}
        self.turn += 1
        self.run = (node_id, self.run[1] + 1 if self.run[0] == node_id else 1)
        self.open = None
        if mode == "HANDOFF":
            self.handoff = node_id
            self.states.add("HANDOFF_REQUESTED")
            self.update_gates()
            return node_id, mode
        self.attempts[node_id] = self.attempts.get(node_id, 0) + 1
        self.last_turn[node_id] = self.turn
        if mode == "EXECUTE":
            self.executions[node_id] = self.executions.get(node_id, 0) + 1
            if not node.get("produces"):
                self.states.update(node.get("satisfies", {}).get("states", []))
        if mode == "BROADEN":
            self.broadened.add(node_id)
        if clarify:
            self.clarified.add(node_id)
        if node.get("produces"):
            self.open = (node, scope)
        self.update_gates()
        return node_id, mode

    # --- the outside ------------------------------------------------------------------------------------------
    def reply(self, facts):
        ignored = set()
        node, scope = self.open or (None, set())
        self.open = None
        for name, value in facts.items():
            if self.canonical(name) in scope:
                self.facts[self.canonical(name)] = value
            else:
                ignored.add(self.canonical(name))
        self.update_gates()
        if node is not None and self.objective_met(node):
            self.states.update(node.get("satisfies", {}).get("states", []))
            self.update_gates()
        return ignored

    def message(self, facts):
        """An inbound message: (decisions of this message, ignored facts)."""
        ignored = self.reply(facts)
        return self.decide_on(), ignored

    def decide_on(self):
        made = []
        by_id = {node["id"]: node for node in self.flow["nodes"]}
        while len(made) < len(by_id):
            before = self.turn + 1
            node_id, mode = self.decide_and_apply()
            if node_id is None:
                return made
            made.append((before, node_id, mode))
            if mode == "HANDOFF" or by_id[node_id].get("produces"):
                return made
        status, node, _, _, skipped = self.decide()
        if node is None and not self.handoff:  # after the N-th decision only a status may still be found
            self.status = status
            self.skipped |= skipped
        return made

    def resume(self, facts=None, remove=(), skip=(), grant=None):
        self.facts.update({self.canonical(name): value for name, value in (facts or {}).items()})
        for name in remove:
            self.facts.pop(self.canonical(name), None)
        self.skipped.update(skip)
        nodes = {node["id"]: node for node in self.flow["nodes"]}
        for node_id, extra in (grant or {}).items():
            attempts = self.attempts.get(node_id, 0)
            by_policy = 0 if node_id in self.broadened else self.policy(nodes[node_id])["maxAttempts"]
            self.grants[node_id] = max(self.grants.get(node_id, by_policy), attempts) + extra
        self.handoff = self.open = None
        self.run = (None, 0)
        self.status = "OK"
        return self.decide_on()
