// Explore: the bad ends a visitor can reach in the stored draft, each with the dialogue that leads there.

import { call, post } from "./calls.js";
import { announce, button, el, fill } from "./dom.js";
import { endOf } from "./words.js";

const POLL_MS = 500;
const STEPS = { queued: gettext("waiting"), running: gettext("searching"), failed: gettext("failed") };

const said = (line) => (Object.keys(line.facts).length ? fill(gettext("The visitor says %(words)s."), { words: line.text }) : gettext("The visitor says nothing of use."));

export class ExplorePanel {
  constructor(store, panel, { loadTalk }) {
    Object.assign(this, { store, panel, loadTalk });
    panel.querySelector("[data-explore]")?.addEventListener("click", () => this.start());
  }

  async shown() {
    const { latest } = await call(this.store.calls.explore);
    if (latest) this.follow(latest);
  }

  async start() {
    if (this.store.dirty) announce(gettext("What is explored is the saved draft, without your unsaved changes."), "lw-warn");
    try {
      await this.follow(await post(this.store.calls.explore, {}));
    } catch (problem) {
      announce(problem.message, "lw-bad");
    }
  }

  async follow(job) {
    this.job = job.job;
    this.draw(job);
    while (["queued", "running"].includes(job.status) && this.job === job.job) {
      await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
      job = await call(`${this.store.calls.explore}/${job.job}`);
      if (this.job === job.job) this.draw(job);
    }
  }

  draw(job) {
    const bar = this.panel.querySelector("[data-progress]");
    bar.hidden = false;
    bar.querySelector("progress").value = job.progress;
    const states = fill(ngettext("%(n)s state seen", "%(n)s states seen", job.states), { n: job.states });
    const whole = job.complete ? gettext("nothing left out") : gettext("the flow is larger than the search");
    const seen = job.status === "done" ? `${states}; ${whole}` : STEPS[job.status];
    bar.querySelector("[data-progress-words]").textContent = seen;
    if (job.status === "failed") announce(gettext("The search failed; start it again."), "lw-bad");
    if (job.status !== "done") return;
    const endings = [...job.deadlocks, ...job.handoffs];
    this.panel.querySelector("[data-endings]").replaceChildren(endings.length
      ? el("ul", { class: "fe-cards" }, endings.map((ending) => this.#ending(ending)))
      : el("p", { class: "lw-empty" }, gettext("No deadlock and no handoff can be reached.")));
  }

  #ending(ending) {
    return el("li", { class: "lw-card lw-stack" },
      el("strong", { class: ending.status === "DEADLOCK" ? "lw-bad" : "lw-warn" }, endOf(ending)),
      el("ol", { class: "fe-dialogue" }, ending.dialogue.map((line, index) => el("li", {}, index ? said(line) : gettext("The flow opens.")))),
      button(gettext("Load into Try it"), () => this.loadTalk(ending.dialogue)));
  }
}
