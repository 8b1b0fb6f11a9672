// The one source of truth in the browser: the definition. Forms and text both edit it; the server judges its text.

import { call, post } from "./calls.js";

const CHECK_AFTER_MS = 250;
// Objects that mean nothing when empty; a gate's satisfiedBy is not one of them.
const PRUNED = new Set(["runPolicy", "retryPolicy", "satisfies", "defaults"]);

export const pretty = (value) => JSON.stringify(value, null, 2);
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const asObject = (value) => (isObject(value) ? value : {});
export const asList = (value) => (Array.isArray(value) ? value : []);
export const pointer = (...parts) =>
  parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

export function at(value, path) {
  return path.reduce((found, key) => {
    const inside = found !== null && typeof found === "object" && Object.hasOwn(found, key);
    return inside ? found[key] : undefined;
  }, value);
}

// Own properties only, so that a key such as __proto__ is a key like any other.
function put(holder, key, value) {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Events: `structure` (forms must be drawn anew), `changed` (the text is different), `checked`, `saved`. */
export class Store extends EventTarget {
  constructor({ flow, calls }) {
    super();
    this.calls = calls;
    this.report = null;
    this.adopt(flow);
  }

  /** Takes over what the server has. */
  adopt(flow) {
    this.#stored(flow);
    this.definition = flow.draft;
    this.text = pretty(flow.draft);
    this.savedText = this.text;
  }

  #stored(flow) {
    this.name = flow.name;
    this.revision = flow.draft_revision;
    this.author = flow.draft_author;
    this.savedAt = flow.draft_saved_at;
  }

  get dirty() {
    return this.text !== this.savedText;
  }

  get readable() {
    return this.definition !== null;
  }

  /** A change by the forms: sets what stands at a path, or removes it when `value` is undefined. */
  set(path, value, { structure = false } = {}) {
    let holder = this.definition;
    const trail = [];
    for (const key of path.slice(0, -1)) {
      const inside = at(holder, [key]);
      if (inside === null || typeof inside !== "object") put(holder, key, {});
      trail.push([holder, key]);
      holder = holder[key];
    }
    const last = path.at(-1);
    if (value !== undefined) put(holder, last, value);
    else if (Array.isArray(holder)) holder.splice(last, 1);
    else delete holder[last];
    for (const [parent, key] of trail.reverse()) {
      if (PRUNED.has(key) && isObject(parent[key]) && !Object.keys(parent[key]).length) delete parent[key];
    }
    this.touched(structure);
  }

  /** A change that is more than one value. */
  change(mutate) {
    mutate(this.definition);
    this.touched(true);
  }

  touched(structure) {
    this.text = pretty(this.definition);
    this.#tell(structure);
  }

  /** A change in the text itself; while it is no JSON object the forms wait. */
  setText(text) {
    this.text = text;
    try {
      const read = JSON.parse(text);
      this.definition = isObject(read) ? read : null;
    } catch {
      this.definition = null;
    }
    this.#tell(true);
  }

  #tell(structure) {
    this.emit("changed");
    if (structure) this.emit("structure");
    this.checkSoon();
  }

  emit(name) {
    this.dispatchEvent(new Event(name));
  }

  on(name, listener) {
    this.addEventListener(name, listener);
  }

  checkSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), CHECK_AFTER_MS);
  }

  /** Asks the server for findings and the drawing; an answer that came too late is dropped. */
  async check() {
    this.checking?.abort();
    this.checking = new AbortController();
    try {
      this.report = await post(this.calls.check, { text: this.text }, { signal: this.checking.signal });
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.report = { ok: false, findings: [serverFinding(problem)], drawing: null, turn_bound: null };
    }
    this.emit("checked");
  }

  /** Stores the draft; refused when somebody saved since we read it. */
  async save() {
    const sent = this.text;
    const body = `{"revision": ${this.revision}, "definition": ${sent}}`;
    this.#stored(await post(this.calls.draft, body));
    this.savedText = sent;
    this.emit("saved");
  }

  /** Forgets what is here and takes the stored draft. */
  async reload() {
    this.adopt(await call(this.calls.draft));
    this.#tell(true);
    this.emit("saved");
  }
}

function serverFinding(problem) {
  const message = interpolate(gettext("could not be checked: %(why)s"), { why: problem.message }, true);
  return { level: "error", code: "unchecked", path: "", node: null, message, suggestion: gettext("try again") };
}
