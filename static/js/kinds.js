// A form that asks for one of several kinds shows what the chosen kind has, and says what it can do without.
const kind = document.querySelector("select[name=kind]");

function show() {
  for (const entry of document.querySelectorAll("[data-only-of]")) {
    entry.hidden = entry.dataset.onlyOf !== kind.value;
  }
  for (const entry of document.querySelectorAll("[data-needed-by]")) {
    const needed = entry.dataset.neededBy === kind.value;
    entry.querySelector("[data-optional]").hidden = needed;
    entry.querySelector("input").required = needed;
  }
}

if (kind) {
  kind.addEventListener("change", show);
  show();
}
