// Findings stand beside the field they concern, on its tab, and in one list.

import { badge, el, fill } from "./dom.js";
import { placeOf } from "./words.js";

const WORDS = { error: [gettext("Error"), "lw-bad"], warning: [gettext("Warning"), "lw-warn"], info: [gettext("Info"), "lw-faint"] };
const TABS = { nodes: "nodes", gateDefinitions: "gateDefinitions", facts: "facts", factAliases: "factAliases" };

const errorsOf = (n) => fill(ngettext("%(n)s error", "%(n)s errors", n), { n });
const turnsOf = (n) => fill(ngettext("%(n)s turn", "%(n)s turns", n), { n });

/** The tab whose form holds a path. */
export const tabOf = (path) => TABS[path.split("/")[1]] || "flow";

/** The engine's half sentences with a capital and a full stop; a name in quotes or one that ends the line stays as it is. */
const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.?!…}\]]$/.test(words) ? "" : "."}`;

function line(finding) {
  const [word, kind] = WORDS[finding.level];
  return [el("strong", { class: kind }, word), ` ${sentence(finding.message)} `, el("span", { class: "lw-faint" }, sentence(finding.suggestion))];
}

/** The nearest thing on the page to a path: the field itself, else what surrounds it. */
function nearest(places, path) {
  for (let rest = path; rest; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    if (places.has(rest)) return places.get(rest);
  }
  return places.get("");
}

/** Puts every finding where it belongs; runs again when forms were drawn anew. */
export function place(root, report) {
  const places = new Map([...root.querySelectorAll("[data-path]")].map((each) => [each.dataset.path, each]));
  for (const slot of root.querySelectorAll("[data-findings]")) slot.replaceChildren();
  for (const control of root.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  for (const finding of report?.findings || []) {
    const found = nearest(places, finding.path);
    found?.querySelector(":scope > [data-findings]")?.append(el("li", { class: `fe-${finding.level}` }, line(finding)));
    if (finding.level !== "error" || found?.dataset.path !== finding.path) continue;
    const control = found.querySelector(":scope > input, :scope > select, :scope > textarea");
    control?.setAttribute("aria-invalid", "true");
  }
}

/** How many errors each tab holds, said in the tab. */
export function countOnTabs(report) {
  const errors = (report?.findings || []).filter((finding) => finding.level === "error");
  for (const slot of document.querySelectorAll("[data-tab-count]")) {
    const count = errors.filter((finding) => tabOf(finding.path) === slot.dataset.tabCount).length;
    slot.replaceChildren(count ? badge(errorsOf(count), "lw-bad") : "");
  }
}

export function summary(report) {
  if (!report) return [badge(gettext("checking…"))];
  const count = (level) => report.findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  return [
    errors ? badge(errorsOf(errors), "lw-bad") : badge(gettext("may be published"), "lw-good"),
    warnings ? badge(fill(ngettext("%(n)s warning", "%(n)s warnings", warnings), { n: warnings }), "lw-warn") : null,
    report.turn_bound ? el("span", { class: "lw-faint" }, fill(gettext("at most %(turns)s"), { turns: turnsOf(report.turn_bound) })) : null,
    report.happy_path?.length ? el("span", { class: "lw-faint" }, fill(gettext("shortest way: %(nodes)s"), { nodes: report.happy_path.join(" → ") })) : null,
  ].filter(Boolean);
}

function items(findings, definition, goTo) {
  return el("ul", { class: "fe-list" }, findings.map((finding) => el("li", {},
    el("button", { type: "button", class: "fe-link", title: finding.path || "/", on: { click: () => goTo(finding.path) } },
      el("span", { class: "fe-place" }, placeOf(definition, finding.path)), line(finding)))));
}

/** All findings, remarks folded away; choosing one goes to its field. */
export function list(report, definition, goTo) {
  const all = report?.findings || [];
  if (!all.length) return [el("p", { class: "lw-empty" }, report ? gettext("Nothing to find fault with.") : gettext("checking…"))];
  const [remarks, faults] = [all.filter((each) => each.level === "info"), all.filter((each) => each.level !== "info")];
  return [
    faults.length ? items(faults, definition, goTo) : el("p", { class: "lw-good" }, gettext("No error and no warning.")),
    remarks.length ? el("details", {}, el("summary", {}, fill(ngettext("%(n)s remark", "%(n)s remarks", remarks.length), { n: remarks.length })), items(remarks, definition, goTo)) : null,
  ].filter(Boolean);
}

/** What the check says of each node, on its card: whether the goal hangs on it, and how long it may wait. */
export function onCards(root, report) {
  const critical = new Set(report?.critical_nodes || []);
  for (const slot of root.querySelectorAll("[data-standing]")) {
    const wait = report?.worst_wait?.[slot.dataset.standing];
    slot.replaceChildren(...[
      critical.has(slot.dataset.standing) ? badge(gettext("critical"), "fe-critical") : null,
      wait ? el("span", { class: "lw-faint fe-help" }, fill(gettext("may wait %(turns)s"), { turns: turnsOf(wait) })) : null,
    ].filter(Boolean));
  }
}
