// The forms of a flow: its goal, its nodes, gates, facts and aliases.

import { badge, button, el, fill } from "./dom.js";
import { checkField, namesField, numberField, promptsField, retryFields, selectField, textField } from "./fields.js";
import { asList, asObject, isObject, pointer } from "./store.js";
import * as rename from "./rename.js";

const POST_GOAL = [["", gettext("stop")], ["CONTINUE_HIGH", gettext("run the important nodes that never ran, once each")]];
const IMPORTANCE = [["", gettext("normal")], ["high", gettext("high: before the others")], ["low", gettext("low: after the others")]];
const RANKS = { high: gettext("high"), normal: gettext("normal"), low: gettext("low") };
const TYPES = ["text", "email", "phone", "date", "number", "quantity", "choice", "regex"];

export function flowForm(store) {
  const goal = asObject(store.definition.primaryGoal);
  const isState = goal.type === "STATE";
  const kinds = [["GATE", gettext("a gate is satisfied")], ["STATE", gettext("a state is reached")]];
  const kind = selectField(store, ["primaryGoal", "type"], gettext("The flow is done when"), kinds);
  kind.querySelector("select").addEventListener("change", (event) => store.change((flow) => {
    flow.primaryGoal = { type: event.target.value };
  }));
  return [
    textField(store, ["name"], gettext("Name")),
    el("div", { class: "lw-grid", data: { path: "/primaryGoal" } }, kind,
      isState
        ? textField(store, ["primaryGoal", "state"], gettext("Goal state"), { list: "fe-states" })
        : textField(store, ["primaryGoal", "gate"], gettext("Goal gate"), { list: "fe-gates" }),
      el("ul", { class: "fe-findings", data: { findings: "" } })),
    selectField(store, ["postGoalPolicy"], gettext("After the goal"), POST_GOAL, { usual: "STOP" }),
    el("h2", {}, gettext("When a question is not answered (default of all nodes)")),
    retryFields(store, ["defaults", "retryPolicy"]),
  ];
}

/** Node cards; only an open one has its fields, so that a large flow stays quick. */
export class NodeForms {
  constructor(store) {
    this.store = store;
    this.open = new Set();
  }

  draw() {
    const nodes = asList(this.store.definition.nodes);
    const list = el("ol", { class: "fe-cards" }, nodes.map((node, index) => this.#card(node, index, nodes.length)));
    const empty = nodes.length ? null : el("p", { class: "lw-empty" }, gettext("No node yet. A node says something or asks for facts; add the first one."));
    return [empty, list, button(gettext("Add a node"), () => this.#add(), { kind: "lw-primary" })];
  }

  #add() {
    const taken = new Set(asList(this.store.definition.nodes).map((node) => asObject(node).id));
    let number = taken.size + 1;
    while (taken.has(`node-${number}`)) number += 1;
    const id = `node-${number}`;
    this.open.add(id);
    this.store.change((flow) => { flow.nodes = [...asList(flow.nodes), { id, prompts: [""] }]; });
    this.reveal(asList(this.store.definition.nodes).length - 1);
  }

  /** Opens a node's card and puts the cursor into its first field. */
  reveal(index) {
    const card = () => document.querySelector(`[data-path="${pointer("nodes", index)}"]`);
    if (!card()) return null;
    const toggle = card().querySelector("[aria-expanded]");
    if (toggle.getAttribute("aria-expanded") === "false") toggle.click();
    const field = card().querySelector("input, textarea, select");
    field?.focus();
    card().scrollIntoView({ block: "nearest" });
    return card();
  }

  #card(node, index, count) {
    const { store } = this;
    const id = String(asObject(node).id ?? "");
    const body = el("div", { class: "fe-body", id: `fe-node-${index}` });
    const name = el("strong", {}, id || gettext("(no id)"));
    const toggle = el("button", { type: "button", class: "fe-toggle", "aria-controls": body.id, "aria-expanded": "false" },
      el("span", { class: "lw-faint" }, `${index + 1}.`), name, el("span", { class: "lw-faint" }, String(asObject(node).title ?? "")));
    const show = (open) => {
      toggle.setAttribute("aria-expanded", String(open));
      body.replaceChildren(...(open && isObject(node) ? this.#fields(index, name) : []));
      body.hidden = !open;
    };
    toggle.addEventListener("click", () => {
      const opens = toggle.getAttribute("aria-expanded") === "false";
      opens ? this.open.add(id) : this.open.delete(id);
      show(opens);
      store.emit("placed");
    });
    show(this.open.has(id));
    const move = (to, which) => {
      store.change((flow) => { flow.nodes.splice(to, 0, ...flow.nodes.splice(index, 1)); });
      const moved = document.querySelector(`[data-path="${pointer("nodes", to)}"]`);
      (moved.querySelector(`[data-act="${which}"]:enabled`) || moved.querySelector(".fe-toggle")).focus();
    };
    const remove = () => {
      store.change((flow) => { flow.nodes.splice(index, 1); });
      const next = document.querySelector(`[data-path="${pointer("nodes", Math.min(index, count - 2))}"] .fe-toggle`);
      (next || document.querySelector("#panel-nodes button"))?.focus();
    };
    const card = el("li", { class: "lw-card fe-card", data: { path: pointer("nodes", index) } },
      el("div", { class: "lw-row lw-spread" }, toggle, el("span", { class: "lw-row" },
        el("span", { class: "lw-row", data: { standing: id } }),
        isObject(node) && node.importance ? badge(RANKS[node.importance] || node.importance) : null,
        button("↑", () => move(index - 1, "up"), { kind: "fe-small", data: { act: "up" }, disabled: index === 0, "aria-label": fill(gettext("Move %(id)s up"), { id }) }),
        button("↓", () => move(index + 1, "down"), { kind: "fe-small", data: { act: "down" }, disabled: index === count - 1, "aria-label": fill(gettext("Move %(id)s down"), { id }) }),
        button("×", remove, { kind: "fe-small lw-danger", "aria-label": fill(gettext("Remove node %(id)s"), { id }) }))),
      el("ul", { class: "fe-findings", data: { findings: "" } }), body);
    card.addEventListener("keydown", (event) => {
      if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      const to = index + (event.key === "ArrowUp" ? -1 : 1);
      event.preventDefault();
      if (to >= 0 && to < count) move(to, event.key === "ArrowUp" ? "up" : "down");
    });
    return card;
  }

  #fields(index, name) {
    const { store } = this;
    const path = ["nodes", index];
    const id = textField(store, [...path, "id"], gettext("Id"));
    id.querySelector("input").addEventListener("input", (event) => {
      name.textContent = event.target.value || gettext("(no id)");
      this.open.add(event.target.value);
    });
    return [
      el("div", { class: "lw-grid" }, id,
        textField(store, [...path, "title"], gettext("Title")),
        selectField(store, [...path, "importance"], gettext("Importance"), IMPORTANCE, { usual: gettext("normal") }),
        numberField(store, [...path, "runPolicy", "maxExecutions"], gettext("Runs at most"), { placeholder: gettext("no limit") })),
      promptsField(store, [...path, "prompts"], gettext("Prompts"), { help: gettext("What is said. Variants are for second and later attempts.") }),
      el("div", { class: "lw-grid" },
        namesField(store, [...path, "produces"], gettext("Asks for facts"), { list: "fe-facts", help: gettext("None: the node only says something.") }),
        namesField(store, [...path, "satisfies", "gates"], gettext("Is done when these gates hold"), { list: "fe-gates" }),
        namesField(store, [...path, "satisfies", "states"], gettext("Then sets states"), { list: "fe-states" }),
        namesField(store, [...path, "requires"], gettext("Waits for gates"), { list: "fe-gates" }),
        namesField(store, [...path, "requiresStates"], gettext("Waits for states"), { list: "fe-states" })),
      checkField(store, [...path, "skipIfSatisfied"], gettext("Leave out when its gates already hold")),
      el("details", {}, el("summary", {}, gettext("When it is not answered (instead of the flow's default)")), retryFields(store, [...path, "retryPolicy"])),
    ];
  }
}

const GATE = {
  name: gettext("Gate name"), fresh: gettext("New gate"), add: gettext("Add a gate"), remove: gettext("Remove gate %(name)s"),
  empty: gettext("No gate yet. A gate opens when its facts are known; nodes wait for gates, and one of them is the goal."),
};
const FACT = {
  name: gettext("Fact name"), fresh: gettext("New fact"), add: gettext("Add a fact"), remove: gettext("Remove fact %(name)s"),
  empty: gettext("No fact is described yet. Say what kind of value a fact is, and it is read out of what visitors write."),
};
const ALIAS = {
  name: gettext("Alias name"), fresh: gettext("New alias"), add: gettext("Add an alias"), remove: gettext("Remove alias %(name)s"),
  empty: gettext("No alias. An alias is another name under which a fact may arrive, such as email for contact_email."),
};

/** Cards of a keyed collection, with adding, renaming and removing by name. */
function keyed(store, key, words, { fields, fresh, onRename }) {
  const all = asObject(store.definition[key]);
  const cards = Object.keys(all).map((name) => {
    const path = [key, name];
    const control = textField(store, path, words.name, { onRename: (to) => store.change((flow) => onRename(flow, name, to)) });
    control.querySelector("input").value = name;
    delete control.dataset.path;
    const away = button("×", () => {
      store.change((flow) => { delete flow[key][name]; });
      document.querySelector(`#panel-${key} button`)?.focus();
    }, { kind: "fe-small lw-danger", "aria-label": fill(words.remove, { name }) });
    return el("li", { class: "lw-card fe-card", data: { path: pointer(...path) } },
      el("div", { class: "lw-row lw-spread fe-head" }, control, away),
      el("ul", { class: "fe-findings", data: { findings: "" } }), fields(path, name));
  });
  const input = el("input", { type: "text", "aria-label": words.fresh, placeholder: words.fresh, autocomplete: "off", data: { new: "" } });
  const add = () => {
    const name = input.value.trim();
    if (!name || Object.hasOwn(asObject(store.definition[key]), name)) return;
    store.change((flow) => {
      flow[key] = Object.fromEntries([...Object.entries(asObject(flow[key])), [name, fresh(name)]]);
    });
    document.querySelector(`#panel-${key} [data-new]`)?.focus();
  };
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); add(); } });
  return [
    cards.length ? null : el("p", { class: "lw-empty" }, words.empty),
    el("ul", { class: "fe-cards" }, cards),
    el("div", { class: "lw-row" }, input, button(words.add, add, { kind: "lw-primary" })),
  ];
}

export function gateForms(store) {
  return keyed(store, "gateDefinitions", GATE, {
    fresh: () => ({ satisfiedBy: {} }),
    onRename: rename.gate,
    fields: (path) => el("div", { class: "lw-grid" },
      namesField(store, [...path, "satisfiedBy", "metricsAll"], gettext("Needs all these facts"), { list: "fe-facts" }),
      namesField(store, [...path, "satisfiedBy", "metricsAny"], gettext("And any one of these"), { list: "fe-facts" }),
      namesField(store, [...path, "satisfiedBy", "statesAll"], gettext("And all these states"), { list: "fe-states" })),
  });
}

export function factForms(store) {
  return keyed(store, "facts", FACT, {
    fresh: () => ({ type: "text" }),
    onRename: rename.fact,
    fields: (path, name) => {
      const { type } = asObject(store.definition.facts[name]);
      return el("div", { class: "lw-grid" },
        selectField(store, [...path, "type"], gettext("Kind"), TYPES.map((each) => [each, each]), { structure: true }),
        type === "choice" ? namesField(store, [...path, "choices"], gettext("Choices")) : null,
        type === "regex" ? textField(store, [...path, "pattern"], gettext("Pattern"), { help: gettext("A short regular expression without repeats inside repeats.") }) : null);
    },
  });
}

export function aliasForms(store) {
  return keyed(store, "factAliases", ALIAS, {
    fresh: () => "",
    onRename: rename.alias,
    fields: (path) => textField(store, path, gettext("Means the fact"), { list: "fe-facts" }),
  });
}
