// The list of flows: how many conversations run on each (flows themselves know none), and an address for a new one.

const table = document.querySelector("[data-in-use]");

function words(versions) {
  const counted = Object.entries(versions || {});
  return counted.length ? counted.map(([version, count]) => interpolate(gettext("%(count)s on v%(version)s"), { version, count }, true)).join(", ") : gettext("none");
}

async function fill() {
  const answer = await fetch(table.dataset.inUse, { credentials: "same-origin" });
  const { running } = answer.ok ? await answer.json() : { running: null };
  for (const cell of table.querySelectorAll("[data-running]")) {
    cell.textContent = running ? words(running[cell.dataset.running]) : gettext("not known");
  }
}

/** The address follows the name until somebody writes one of their own. */
function suggestAddress(form) {
  const { name, slug } = form.elements;
  const plain = (text) => text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 100);
  let own = slug.value !== "";
  slug.addEventListener("input", () => { own = slug.value !== ""; });
  name.addEventListener("input", () => { if (!own) slug.value = plain(name.value); });
}

fill();
const form = document.querySelector("[data-new-flow]");
if (form) {
  suggestAddress(form);
  const fold = form.closest("details");
  fold.addEventListener("toggle", () => { if (fold.open) form.elements.name.focus(); });
}
