// The flow editor: one store, and panels that show it.

import { announce, badge, button, el, fill, hush } from "./flow_editor/dom.js";
import { DrawingPanel } from "./flow_editor/drawing.js";
import { ExplorePanel } from "./flow_editor/explore.js";
import * as findings from "./flow_editor/findings.js";
import { NodeForms, aliasForms, factForms, flowForm, gateForms } from "./flow_editor/forms.js";
import { asList, asObject, Store } from "./flow_editor/store.js";
import { TalkPanel } from "./flow_editor/talk.js";
import { Tabs } from "./flow_editor/tabs.js";
import { VersionsPanel } from "./flow_editor/versions.js";

const root = document.querySelector("[data-flow-editor]");
const page = JSON.parse(document.getElementById("flow-page").textContent);
const mayEdit = root.dataset.mayEdit === "yes";
const { figuresUrl } = root.dataset;
const store = new Store(page);
const nodeForms = new NodeForms(store);
const FORMS = {
  flow: () => flowForm(store),
  nodes: () => nodeForms.draw(),
  gateDefinitions: () => gateForms(store),
  facts: () => factForms(store),
  factAliases: () => aliasForms(store),
};
const area = root.querySelector("[data-json]");
const save = root.querySelector("[data-save]");
const panel = (name) => document.getElementById(`panel-${name}`);

function drawForms() {
  for (const [name, draw] of Object.entries(FORMS)) {
    const inside = store.readable ? draw().filter(Boolean) : [el("p", { class: "lw-empty" }, gettext("The JSON cannot be read. Correct it beside, and the forms are back."))];
    panel(name).replaceChildren(
      el("ul", { class: "fe-findings", data: { findings: "" } }),
      el("fieldset", { class: "fe-form", disabled: !mayEdit }, inside));
  }
  placeFindings();
}

function placeFindings() {
  findings.place(root, store.report);
  findings.countOnTabs(store.report);
  findings.onCards(root, store.report);
}

function drawLists() {
  const flow = asObject(store.definition);
  const nodes = asList(flow.nodes).map(asObject);
  const names = {
    gates: Object.keys(asObject(flow.gateDefinitions)),
    facts: [...Object.keys(asObject(flow.facts)), ...Object.keys(asObject(flow.factAliases)), ...nodes.flatMap((node) => asList(node.produces))],
    states: nodes.flatMap((node) => [...asList(asObject(node.satisfies).states), ...asList(node.requiresStates)]),
  };
  for (const [kind, all] of Object.entries(names)) {
    document.getElementById(`fe-${kind}`).replaceChildren(...[...new Set(all)].map((name) => el("option", { value: String(name) })));
  }
}

function drawState() {
  if (save) save.disabled = !store.dirty || !store.readable;
  root.querySelector("[data-state]").replaceChildren(
    store.dirty ? badge(gettext("unsaved changes"), "lw-warn") : badge(gettext("saved"), "lw-good"),
    el("span", { class: "lw-faint" }, " ", fill(gettext("draft by %(author)s"), { author: store.author || "—" }), ", ", el("time", { datetime: store.savedAt }, new Date(store.savedAt).toLocaleString())));
}

/** The page is called what its flow is called, also once that has changed. */
function drawName() {
  document.title = `${store.name} · Lastword`;
  document.querySelector("h1 > :last-child").textContent = store.name.charAt(0).toUpperCase() + store.name.slice(1);
}

function drawReport() {
  placeFindings();
  root.querySelector("[data-summary]").replaceChildren(...findings.summary(store.report));
  root.querySelector("[data-finding-list]").replaceChildren(...findings.list(store.report, store.definition, goTo));
}

/** Shows the field that stands for a path in the document. */
function goTo(path) {
  const [, first, second] = path.split("/");
  tabs.show(findings.tabOf(path));
  if (first === "nodes" && second !== undefined) nodeForms.reveal(Number(second));
  for (let rest = path; rest; rest = rest.slice(0, rest.lastIndexOf("/"))) {
    const found = [...root.querySelectorAll("[data-path]")].find((each) => each.dataset.path === rest);
    if (!found) continue;
    found.scrollIntoView({ block: "center" });
    (found.querySelector("input, select, textarea") || found.querySelector("button"))?.focus();
    return;
  }
}

async function saveDraft() {
  try {
    await store.save();
    announce(gettext("The draft is saved."), "lw-good");
    return true;
  } catch (problem) {
    if (problem.problem?.code === "draft_conflict") conflict(problem.problem);
    else announce(problem.message, "lw-bad");
    return false;
  }
}

function conflict({ author, saved_at: savedAt, revision }) {
  announce(el("div", { class: "lw-row" },
    fill(gettext("%(author)s saved this draft at %(time)s, after you read it. Nothing was overwritten."), { author, time: new Date(savedAt).toLocaleString() }),
    button(gettext("Load theirs, drop mine"), () => { store.reload(); announce(gettext("Their draft is loaded.")); }),
    button(gettext("Save mine over theirs"), () => { store.revision = revision; saveDraft(); }, { kind: "lw-danger" })), "lw-bad");
}

function exportText() {
  const link = el("a", { href: URL.createObjectURL(new Blob([store.text], { type: "application/json" })), download: `${page.flow.slug}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
}

const talk = new TalkPanel(store, panel("try"), { mayEdit });
const drawing = new DrawingPanel(store, panel("drawing"), { figuresUrl, goTo });
const explore = new ExplorePanel(store, panel("explore"), {
  loadTalk: (script) => { talk.script = script; talk.stale = true; tabs.show("try"); },
});
const versions = new VersionsPanel(store, panel("versions"), { mayEdit, figuresUrl, saveFirst: async () => !store.dirty || saveDraft() });
const tabs = new Tabs(root, {
  try: () => talk.shown(), explore: () => explore.shown(), versions: () => versions.shown(), drawing: () => drawing.load(),
}, (name) => { hush(); root.querySelector("[data-aside]").hidden = !(name in FORMS); });

store.on("structure", drawForms);
store.on("placed", placeFindings);
store.on("changed", () => { if (document.activeElement !== area || area.value !== store.text) area.value = store.text; drawLists(); drawState(); });
store.on("saved", () => { drawState(); drawName(); });
store.on("checked", drawReport);
area.addEventListener("input", () => store.setText(area.value));
save?.addEventListener("click", saveDraft);
root.querySelector("[data-export]").addEventListener("click", exportText);
const file = root.querySelector("[data-import]");
if (file) file.hasChangeListener = true; // else Unfold's own listener looks for a text field beside it, and there is none
file?.addEventListener("change", async (event) => {
  const [chosen] = event.target.files;
  if (chosen) store.setText(await chosen.text());
  event.target.value = "";
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
  event.preventDefault();
  if (mayEdit && store.dirty) saveDraft();
});
window.addEventListener("beforeunload", (event) => { if (store.dirty) event.preventDefault(); });

area.value = store.text;
area.readOnly = !mayEdit;
drawForms();
drawLists();
drawState();
tabs.start();
store.check();
