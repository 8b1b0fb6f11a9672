// Renaming keeps the order of keys and follows every reference, so that a flow does not break by a better name.

import { asList, asObject, isObject } from "./store.js";

function key(holder, name, from, to) {
  const all = asObject(holder[name]);
  if (!to || to === from || Object.hasOwn(all, to)) return false;
  holder[name] = Object.fromEntries(Object.entries(all).map(([each, value]) => [each === from ? to : each, value]));
  return true;
}

function inList(holder, name, from, to) {
  if (isObject(holder) && Array.isArray(holder[name])) holder[name] = holder[name].map((each) => (each === from ? to : each));
}

export function gate(flow, from, to) {
  if (!key(flow, "gateDefinitions", from, to)) return;
  if (asObject(flow.primaryGoal).gate === from) flow.primaryGoal.gate = to;
  for (const node of asList(flow.nodes)) {
    inList(node, "requires", from, to);
    inList(asObject(node).satisfies, "gates", from, to);
  }
}

export function fact(flow, from, to) {
  if (!key(flow, "facts", from, to)) return;
  produced(flow, from, to);
  for (const each of Object.values(asObject(flow.gateDefinitions))) {
    inList(asObject(each).satisfiedBy, "metricsAll", from, to);
    inList(asObject(each).satisfiedBy, "metricsAny", from, to);
  }
  for (const [name, target] of Object.entries(asObject(flow.factAliases))) {
    if (target === from) flow.factAliases[name] = to;
  }
}

export function alias(flow, from, to) {
  if (key(flow, "factAliases", from, to)) produced(flow, from, to);
}

function produced(flow, from, to) {
  for (const node of asList(flow.nodes)) inList(node, "produces", from, to);
}
