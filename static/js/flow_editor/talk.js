// Try it: a talk with the definition on the screen, replayed from its beginning at each step; nothing is stored.

import { call, post } from "./calls.js";
import { announce, badge, button, el, fill } from "./dom.js";
import { STATUS, ruleOf } from "./words.js";

const KIND = { COMPLETE: "lw-good", DEADLOCK: "lw-bad", HANDOFF: "lw-warn", POST_GOAL: "lw-good" };

export class TalkPanel {
  constructor(store, panel, { mayEdit }) {
    Object.assign(this, { store, panel, mayEdit, script: [], played: null, stale: true });
    this.input = panel.querySelector("[data-say]");
    panel.querySelector("[data-talk-form]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.say(this.input.value);
    });
    panel.querySelector("[data-restart]").addEventListener("click", () => this.start([{ text: "" }]));
    panel.querySelector("[data-undo]").addEventListener("click", () => this.start(this.script.slice(0, Math.max(1, this.script.length - 1))));
    panel.querySelector("[data-replay]").addEventListener("click", () => this.play());
    panel.querySelector("[data-keep]")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep(new FormData(event.target).get("name"));
    });
    store.on("changed", () => { this.stale = true; this.#state(); });
    store.on("saved", () => this.scripts());
  }

  shown() {
    if (this.stale) this.script.length ? this.play() : this.start([{ text: "" }]);
    this.scripts();
  }

  start(script) {
    this.script = script;
    return this.play();
  }

  say(text) {
    if (["COMPLETE", "DEADLOCK", "HANDOFF"].includes(this.played?.status)) return;
    this.input.value = "";
    this.start([...this.script, { text }]);
  }

  async play() {
    if (!this.store.readable) {
      announce(gettext("The JSON cannot be read, so there is nothing to talk to."), "lw-bad");
      return;
    }
    try {
      this.played = await post(this.store.calls.try, { definition: this.store.definition, script: this.script });
      this.stale = false;
      this.draw();
    } catch (problem) {
      this.played = null;
      const first = problem.problem?.findings?.[0];
      this.panel.querySelector("[data-transcript]").replaceChildren(el("li", { class: "lw-bad" }, `${problem.message} ${first ? `${first.path}: ${first.message}` : ""}`));
    }
    this.#state();
  }

  #state() {
    this.panel.querySelector("[data-stale]").hidden = !(this.stale && this.played);
    const over = ["COMPLETE", "DEADLOCK", "HANDOFF"].includes(this.played?.status);
    this.input.disabled = over;
    const { status } = this.played || {};
    const ended = over ? gettext("the talk is over: start again or undo") : null;
    const words = status ? [badge(status, KIND[status] || ""), ` ${[STATUS[status], ended].filter(Boolean).join("; ")}`] : [];
    this.panel.querySelector("[data-talk-status]").replaceChildren(...words);
  }

  draw() {
    const lines = this.played.trace.flatMap((answer, index) => [this.#visitor(this.script[index], index), this.#answer(answer)]);
    const transcript = this.panel.querySelector("[data-transcript]");
    transcript.replaceChildren(...lines.filter(Boolean));
    transcript.scrollTop = transcript.scrollHeight;
    const last = this.played.trace.at(-1);
    this.panel.querySelector("[data-quick]").replaceChildren(...(last?.reply?.quick_replies || []).map((each) => button(each.title, () => this.say(each.title))));
    this.panel.querySelector("[data-why]").replaceChildren(this.#why(last));
  }

  #visitor(line, index) {
    if (index === 0 && !line.text) return null;
    const facts = line.facts ? Object.entries(line.facts).map(([name, value]) => `${name} = ${value}`).join(", ") : "";
    return el("li", { class: "fe-visitor" }, el("strong", {}, gettext("Visitor")), el("p", { class: "fe-said" }, line.text || gettext("(says nothing)")), facts ? el("p", { class: "fe-note" }, fill(gettext("facts given: %(names)s"), { names: facts })) : null);
  }

  #answer(answer) {
    const notes = [
      answer.factsProduced.length ? fill(gettext("understood: %(names)s"), { names: answer.factsProduced.join(", ") }) : "",
      answer.factsIgnored.length ? fill(gettext("not asked for: %(names)s"), { names: answer.factsIgnored.join(", ") }) : "",
      answer.statesProduced.length ? fill(gettext("states: %(names)s"), { names: answer.statesProduced.join(", ") }) : "",
      answer.gatesSatisfied.length ? fill(gettext("gates: %(names)s"), { names: answer.gatesSatisfied.join(", ") }) : "",
    ].filter(Boolean).join(" · ");
    return el("li", { class: "fe-bot" }, el("strong", {}, gettext("Flow")),
      answer.decisions.map((decision) => [
        decision.prompt ? el("p", { class: "fe-said" }, decision.prompt) : null,
        el("p", { class: "fe-note" }, [fill(gettext("turn %(turnIndex)s"), decision), decision.reason].join(" · "))]).flat(),
      answer.decisions.length ? null : el("p", { class: "fe-note" }, fill(gettext("nothing to say: %(status)s"), { status: STATUS[answer.status] })),
      notes ? el("p", { class: "fe-note" }, notes) : null);
  }

  #why(answer) {
    const nodes = Object.entries(answer?.why_not || {});
    if (!nodes.length) return el("p", { class: "lw-faint" }, gettext("No other node."));
    const said = (rules) => (rules.length ? rules.map(ruleOf).join("; ") : gettext("could speak too, but another comes first"));
    return el("table", { class: "lw-table" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, gettext("Node")), el("th", { scope: "col" }, gettext("Why not")))),
      el("tbody", {}, nodes.map(([node, rules]) => el("tr", {}, el("td", { class: "fe-name" }, node), el("td", {}, said(rules))))));
  }

  async keep(name) {
    if (this.store.dirty) {
      announce(gettext("Save the draft first: a script is kept with the draft it was tried on."), "lw-warn");
      return;
    }
    try {
      await post(this.store.calls.scripts, { name, script: this.script.map(({ text, facts = null }) => ({ text, facts })) });
      announce(fill(gettext("The talk is kept as “%(name)s”; publishing replays it."), { name }), "lw-good");
      this.scripts();
    } catch (problem) {
      announce(problem.message, "lw-bad");
    }
  }

  async scripts() {
    const { results } = await call(this.store.calls.scripts);
    const place = this.panel.querySelector("[data-scripts]");
    if (!results.length) {
      place.replaceChildren(el("p", { class: "lw-empty" }, gettext("No script yet. Talk to the draft, then keep the talk: publishing replays every script and refuses when one goes differently.")));
      return;
    }
    place.replaceChildren(el("ul", { class: "fe-list" }, results.map((kept) => el("li", { class: "lw-row lw-spread" },
      el("span", {}, kept.passes ? badge(gettext("passes"), "lw-good") : badge(gettext("fails"), "lw-bad"), ` ${kept.name} → ${kept.expected.status}`,
        kept.passes ? "" : el("span", { class: "lw-faint" }, fill(gettext(" (now %(status)s: %(nodes)s)"), { status: kept.found.status, nodes: kept.found.decisions.map((each) => each.join(" ")).join(", ") }))),
      el("span", { class: "lw-row" }, button(gettext("Load"), () => this.start(kept.script), { "aria-label": fill(gettext("Load %(name)s"), kept) }),
        this.mayEdit ? button(gettext("Delete"), () => this.#forget(kept.name), { "aria-label": fill(gettext("Delete %(name)s"), kept) }) : null)))));
  }

  async #forget(name) {
    await call(this.store.calls.scripts, { method: "DELETE", body: { name } });
    this.scripts();
  }
}
