// Building the page: text stays text, whatever a definition holds.

let serial = 0;

/** A fresh id for labels and descriptions. */
export function uid(prefix) {
  serial += 1;
  return `${prefix}-${serial}`;
}

/** An element. `on` holds listeners, `data` dataset entries; null and false leave an attribute out. */
export function el(tag, { on = {}, data = {}, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  Object.assign(made.dataset, data);
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export function button(label, act, { kind = "", ...attributes } = {}) {
  return el("button", { type: "button", class: `lw-button ${kind}`.trim(), on: { click: act }, ...attributes }, label);
}

export function badge(words, kind = "") {
  return el("span", { class: `lw-badge ${kind}`.trim() }, words);
}

/** A translated text with its %(names)s filled in. */
export function fill(text, values) {
  return interpolate(text, values, true);
}

/** Says something to everybody, screen readers included. */
export function announce(words, kind = "") {
  const place = document.querySelector("[data-notice]");
  place.className = `fe-notice ${kind}`.trim();
  place.replaceChildren(words);
}

/** Takes good news back once somebody goes on to something else; a refusal stays. */
export function hush() {
  if (document.querySelector("[data-notice]").classList.contains("lw-good")) announce("");
}
