// Versions: publish with a note, compare, roll back, take an old one up again.

import { call, post } from "./calls.js";
import { announce, button, el, fill } from "./dom.js";
import { placeOf } from "./words.js";

export class VersionsPanel {
  constructor(store, panel, { mayEdit, figuresUrl, saveFirst }) {
    Object.assign(this, { store, panel, mayEdit, figuresUrl, saveFirst });
    panel.querySelector("[data-publish]")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.publish(new FormData(event.target).get("note"), event.target);
    });
    store.on("checked", () => this.#allow());
    store.on("changed", () => this.#allow());
  }

  #allow() {
    const send = this.panel.querySelector("[data-publish] [type=submit]");
    if (send) send.disabled = !this.store.report?.ok;
  }

  async shown() {
    const [{ results }, running] = await Promise.all([call(this.store.calls.versions), this.#running()]);
    const place = this.panel.querySelector("[data-versions]");
    place.replaceChildren(results.length ? this.#table(results, running) : el("p", { class: "lw-empty" }, gettext("Nothing is published yet. Conversations can follow a flow once it has a version.")));
    this.#allow();
  }

  async #running() {
    try {
      return (await call(this.figuresUrl)).running;
    } catch {
      return {};
    }
  }

  #table(versions, running) {
    const heads = [gettext("Version"), gettext("Published"), gettext("Note"), gettext("Running"), gettext("Acts")];
    const row = (...cells) => el("tr", {}, cells.map((inside, n) => el("td", { data: { label: heads[n] } }, el("div", {}, inside))));
    return el("div", { class: "lw-scroll", tabindex: 0, role: "region", "aria-label": gettext("Versions") }, el("table", { class: "lw-table lw-cards" },
      el("thead", {}, el("tr", {}, heads.map((words) => el("th", { scope: "col" }, words)))),
      el("tbody", {}, versions.map((each) => row(
        [`v${each.version}`, el("br"), el("code", { title: each.hash }, each.hash.slice(0, 8))],
        [el("time", { datetime: each.created_at }, new Date(each.created_at).toLocaleString()), el("br"), each.author],
        each.note || "—",
        String(running[each.version] || 0),
        el("div", { class: "lw-row" },
          button(gettext("Compare"), () => this.compare(each.version), { "aria-label": fill(gettext("Compare version %(version)s with the draft"), each) }),
          this.mayEdit ? button(gettext("Edit from here"), () => this.takeUp(each.version), { "aria-label": fill(gettext("Put version %(version)s into the draft"), each) }) : null,
          this.mayEdit && each !== versions[0] ? button(gettext("Roll back"), () => this.rollback(each.version), { "aria-label": fill(gettext("Roll back to version %(version)s"), each) }) : null))))));
  }

  async publish(note, form) {
    try {
      if (!(await this.saveFirst())) return;
      const made = await post(this.store.calls.publish, { note, revision: this.store.revision });
      form.reset();
      announce(fill(gettext("Version %(version)s is published."), made), "lw-good");
      await this.shown();
    } catch (problem) {
      this.refused(problem);
    }
  }

  refused({ message, problem = {} }) {
    const scripts = (problem.scripts || []).map((each) => fill(gettext("“%(name)s” should end %(expected)s and ends %(found)s"), { name: each.name, expected: each.expected.status, found: each.found.status }));
    const found = (problem.findings || []).filter((each) => each.level === "error").map((each) => `${placeOf(this.store.definition, each.path)}: ${each.message}`);
    announce([message, ...scripts, ...found].join(" · "), "lw-bad");
  }

  async rollback(version) {
    try {
      const made = await post(this.store.calls.rollback, { version });
      announce(fill(gettext("Version %(made)s has the content of version %(version)s. The draft is as it was."), { made: made.version, version }), "lw-good");
      await this.shown();
    } catch (problem) {
      this.refused(problem);
    }
  }

  async takeUp(version) {
    const { definition } = await call(`${this.store.calls.versions}/${version}`);
    this.store.setText(JSON.stringify(definition, null, 2));
    announce(fill(gettext("The draft on this screen is version %(version)s; it is not saved yet."), { version }), "lw-warn");
  }

  async compare(version) {
    const place = this.panel.querySelector("[data-diff]");
    try {
      const found = await post(this.store.calls.diff, `{"version": ${version}, "definition": ${this.store.text}}`);
      place.replaceChildren(el("h2", {}, fill(gettext("From version %(version)s to the draft on this screen"), { version })), this.#difference(found));
    } catch (problem) {
      place.replaceChildren(el("p", { class: "lw-bad" }, problem.message));
    }
    place.focus();
  }

  #difference({ added, removed, changed }) {
    const shown = (value) => el("code", {}, JSON.stringify(value));
    const lines = [
      ...added.map((path) => el("li", {}, el("strong", { class: "lw-good" }, gettext("added")), " ", el("code", {}, path))),
      ...removed.map((path) => el("li", {}, el("strong", { class: "lw-bad" }, gettext("removed")), " ", el("code", {}, path))),
      ...changed.map((each) => el("li", {}, el("strong", { class: "lw-warn" }, gettext("changed")), " ", el("code", {}, each.path), ": ", shown(each.from), " → ", shown(each.to))),
    ];
    return lines.length ? el("ul", { class: "fe-list" }, lines) : el("p", { class: "lw-empty" }, gettext("No difference."));
  }
}
