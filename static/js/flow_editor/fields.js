// Form controls bound to one place of the definition each. `data-path` is where findings look for them.

import { button, el, fill, uid } from "./dom.js";
import { asList, at, pointer } from "./store.js";

/** A labelled control with room for its findings. */
function framed(path, label, control, help) {
  control.id ||= uid("fe");
  const hint = help ? el("p", { class: "lw-faint fe-help", id: uid("fe-help") }, help) : null;
  if (hint) control.setAttribute("aria-describedby", hint.id);
  const slot = el("ul", { class: "fe-findings", data: { findings: "" } });
  return el("div", { class: "fe-field", data: { path: pointer(...path) } }, el("label", { for: control.id }, label), control, hint, slot);
}

export function textField(store, path, label, { list, help, rows, onRename } = {}) {
  const value = at(store.definition, path);
  const control = el(rows ? "textarea" : "input", {
    ...(rows ? { rows } : { type: "text", list }),
    value: typeof value === "string" ? value : "",
    spellcheck: rows ? "true" : "false",
    autocomplete: "off",
  });
  if (onRename) control.addEventListener("change", () => onRename(control.value.trim()));
  else control.addEventListener("input", () => store.set(path, control.value === "" ? undefined : control.value));
  return framed(path, label, control, help);
}

export function numberField(store, path, label, { help, min = 0, placeholder } = {}) {
  const value = at(store.definition, path);
  const control = el("input", { type: "number", min, step: 1, placeholder, value: typeof value === "number" ? value : "" });
  control.addEventListener("input", () => store.set(path, control.value === "" ? undefined : Number(control.value)));
  return framed(path, label, control, help);
}

/** `options` are [value, words]; the empty value removes the key and stands for the `usual` one. */
export function selectField(store, path, label, options, { help, usual, structure = false } = {}) {
  const value = at(store.definition, path);
  const current = value === undefined || value === usual ? "" : value;
  const strange = !options.some(([each]) => each === current) && current !== "";
  const all = strange ? [...options, [current, fill(gettext("%(value)s (not known)"), { value: JSON.stringify(current) })]] : options;
  const control = el("select", {}, all.map(([each, words]) => el("option", { value: each, selected: each === current }, words)));
  control.addEventListener("change", () => store.set(path, control.value || undefined, { structure }));
  return framed(path, label, control, help);
}

export function checkField(store, path, label, { help } = {}) {
  const control = el("input", { type: "checkbox", checked: at(store.definition, path) === true });
  control.addEventListener("change", () => store.set(path, control.checked || undefined));
  const made = framed(path, label, control, help);
  made.classList.add("fe-check");
  return made;
}

function group(path, label, help, ...inside) {
  const name = el("legend", {}, label);
  const slot = el("ul", { class: "fe-findings", data: { findings: "" } });
  const hint = help ? el("p", { class: "lw-faint fe-help" }, help) : null;
  return el("fieldset", { class: "fe-field fe-group", data: { path: pointer(...path) } }, name, hint, ...inside, slot);
}

/** A list of names, picked from what the flow knows or typed. An emptied list is removed: empty has its own meaning. */
export function namesField(store, path, label, { list, help } = {}) {
  const chips = el("ul", { class: "fe-chips" });
  const input = el("input", { type: "text", list, "aria-label": fill(gettext("Add to %(label)s"), { label }), autocomplete: "off", spellcheck: "false" });
  const add = () => {
    const name = input.value.trim();
    const names = asList(at(store.definition, path));
    if (!name || names.includes(name)) return;
    store.set(path, [...names, name]);
    input.value = "";
    show();
    input.focus();
  };
  const remove = (index) => {
    const names = asList(at(store.definition, path)).toSpliced(index, 1);
    store.set(path, names.length ? names : undefined);
    show();
    (chips.querySelectorAll("button")[index] || input).focus();
  };
  const show = () => {
    const names = asList(at(store.definition, path));
    chips.replaceChildren(...names.map((name, index) => {
      const words = typeof name === "string" ? name : JSON.stringify(name);
      const away = button("×", () => remove(index), { kind: "fe-small", "aria-label": fill(gettext("Remove %(words)s from %(label)s"), { words, label }) });
      return el("li", {}, el("span", {}, words), away);
    }));
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  show();
  const adding = el("div", { class: "lw-row" }, input, button(gettext("Add"), add, { "aria-label": fill(gettext("Add to %(label)s: add"), { label }) }));
  return group(path, label, help, chips, adding);
}

/** Prompt variants: texts in an order that matters. */
export function promptsField(store, path, label, { help } = {}) {
  const rows = el("ol", { class: "fe-prompts" });
  const texts = () => asList(at(store.definition, path));
  const put = (list, focus) => {
    store.set(path, list.length ? list : undefined);
    show();
    (rows.querySelectorAll("textarea")[focus] || more).focus();
  };
  const row = (text, index, all) => {
    const area = el("textarea", { rows: 2, "aria-label": `${label}, variant ${index + 1}`, value: typeof text === "string" ? text : "" });
    area.addEventListener("input", () => store.set([...path, index], area.value));
    const swap = (to) => put(texts().map((each, place, list) => (place === index ? list[to] : place === to ? list[index] : each)), to);
    return el("li", { data: { path: pointer(...path, index) } }, area, el("div", { class: "lw-row" },
      button("↑", () => swap(index - 1), { kind: "fe-small", disabled: index === 0, "aria-label": fill(gettext("Move variant %(n)s up"), { n: index + 1 }) }),
      button("↓", () => swap(index + 1), { kind: "fe-small", disabled: index === all.length - 1, "aria-label": fill(gettext("Move variant %(n)s down"), { n: index + 1 }) }),
      button("×", () => put(texts().toSpliced(index, 1), Math.max(0, index - 1)), { kind: "fe-small", "aria-label": fill(gettext("Remove variant %(n)s"), { n: index + 1 }) }),
    ), el("ul", { class: "fe-findings", data: { findings: "" } }));
  };
  const more = button(gettext("Add a variant"), () => put([...texts(), ""], texts().length));
  const show = () => rows.replaceChildren(...texts().map(row));
  show();
  return group(path, label, help, rows, more);
}

const MODES = [["", gettext("as built in: HANDOFF")], ["HANDOFF", gettext("HANDOFF: ask for a person")], ["CLARIFY", gettext("CLARIFY: once more, then a person")],
  ["BROADEN", gettext("BROADEN: listen for anything useful")], ["SKIP", gettext("SKIP: leave the node out")]];
const STRATEGIES = [["", gettext("as built in: REPHRASE")], ["REPHRASE", gettext("REPHRASE: first variant, reworded")],
  ["ROTATE", gettext("ROTATE: one after another")], ["ESCALATE", gettext("ESCALATE: on to the last")]];

/** What happens when a question is not answered. */
export function retryFields(store, path) {
  return el("div", { class: "lw-grid" },
    numberField(store, [...path, "maxAttempts"], gettext("Attempts at most"), { min: 1, placeholder: "3" }),
    selectField(store, [...path, "onExhaust"], gettext("When they are used up"), MODES),
    numberField(store, [...path, "cooldownTurns"], gettext("Turns to rest between attempts"), { placeholder: "0" }),
    selectField(store, [...path, "promptVariantStrategy"], gettext("Which prompt variant"), STRATEGIES));
}
