// Keys. Nothing happens while somebody types, except what the field itself handles.

const list = document.querySelector("[data-shortcuts]");
let went = 0;

const typing = (element) => element.closest("input, textarea, select, [contenteditable]") !== null;

function moveRow(step) {
  const rows = [...document.querySelectorAll(".lw-board tbody tr[data-id], .lw-queue > li[data-handoff]")];
  const at = rows.indexOf(document.activeElement.closest("tr[data-id], li[data-handoff]"));
  rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

const KEYS = {
  "?": () => list.showModal(),
  "/": () => document.querySelector("[data-search], [data-composer] textarea")?.focus(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  c: () => document.querySelector("[data-claim] button")?.click(),
  g: () => { went = Date.now(); },
  Enter: () => document.activeElement.matches("tr[data-id], li[data-handoff]") && document.activeElement.querySelector("a").click(),
};

document.addEventListener("keydown", (press) => {
  if (typing(press.target) || press.ctrlKey || press.metaKey || press.altKey || list.open) {
    return;
  }
  if (Date.now() - went < 1500) {
    went = 0;
    document.querySelector(`[data-go] [data-key="${CSS.escape(press.key)}"]`)?.click();
    return;
  }
  if (press.key in KEYS && !(press.key === "Enter" && !document.activeElement.matches("tr, li"))) {
    if (press.key !== "g") {
      press.preventDefault();
    }
    KEYS[press.key]();
  }
});
