// The engine's codes and the document's places, in the words the forms use. A code nobody translated stays itself.

import { fill } from "./dom.js";
import { asObject, at } from "./store.js";

const FIELDS = {
  nodes: gettext("Nodes"), gateDefinitions: gettext("Gates"), facts: gettext("Facts"), factAliases: gettext("Aliases"), primaryGoal: gettext("Goal"), defaults: gettext("Flow"), postGoalPolicy: gettext("After the goal"),
  id: gettext("Id"), title: gettext("Title"), importance: gettext("Importance"), prompts: gettext("Prompts"), produces: gettext("Asks for facts"), requires: gettext("Waits for gates"),
  requiresStates: gettext("Waits for states"), gates: gettext("Is done when these gates hold"), states: gettext("Then sets states"), maxExecutions: gettext("Runs at most"),
  maxAttempts: gettext("Attempts at most"), onExhaust: gettext("When they are used up"), cooldownTurns: gettext("Turns to rest between attempts"),
  promptVariantStrategy: gettext("Which prompt variant"), metricsAll: gettext("Needs all these facts"), metricsAny: gettext("And any one of these"),
  statesAll: gettext("And all these states"), type: gettext("Kind"), choices: gettext("Choices"), pattern: gettext("Pattern"), skipIfSatisfied: gettext("Leave out when its gates already hold"),
};
// Steps of a path that a form does not show.
const SILENT = new Set(["satisfies", "satisfiedBy", "runPolicy", "retryPolicy"]);

const RULES = {
  EXEC_CAP: gettext("has run as often as it may"), MISSING_GATES: gettext("waits for gates"), MISSING_STATES: gettext("waits for states"),
  DONE: gettext("is done"), SKIPPED: gettext("was left out"), COOLING: gettext("rests after its last attempt"),
};
const ENDS = { DEADLOCK: gettext("Stuck: no node can speak"), HANDOFF: gettext("A person is asked for") };
export const STATUS = {
  OK: gettext("waiting for an answer"), COMPLETE: gettext("goal reached"), POST_GOAL: gettext("goal reached, last words"), DEADLOCK: gettext("stuck"), HANDOFF: gettext("a person is asked for"),
};

/** Where a JSON pointer leads, as somebody at the forms would say it: “contact-1 › Asks for facts”. */
export function placeOf(definition, path) {
  const keys = path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (!keys.length) return gettext("the whole flow");
  const [first, second, ...rest] = keys;
  const named = first === "nodes" && second !== undefined ? asObject(at(definition, ["nodes", second])).id || fill(gettext("node %(n)s"), { n: Number(second) + 1 }) : second;
  const inside = rest.filter((key) => !SILENT.has(key) && !/^\d+$/.test(key)).map((key) => FIELDS[key] || key);
  const collection = ["nodes", "gateDefinitions", "facts", "factAliases"].includes(first);
  const start = collection && named !== undefined ? [String(named)] : [FIELDS[first] || first, ...(second && !SILENT.has(second) ? [FIELDS[second] || second] : [])];
  return [...start, ...inside].join(" › ");
}

/** Why a node does not speak; the code beside it, for whoever reads the API too. */
export function ruleOf({ rule, missing }) {
  return `${RULES[rule] || rule}${missing.length ? ` ${missing.join(", ")}` : ""} (${rule})`;
}

export function endOf({ status, nodeId, reasonCodes, missing }) {
  const words = ENDS[status] || status;
  if (nodeId) return fill(gettext("%(what)s at %(node)s (%(codes)s)"), { what: words, node: nodeId, codes: reasonCodes.join(", ") });
  const lacks = missing.length ? fill(gettext("missing: %(names)s"), { names: missing.join(", ") }) : null;
  return `${[words, lacks].filter(Boolean).join("; ")} (${status})`;
}
