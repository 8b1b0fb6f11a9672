// One key an answer: T, F, S. The lines a finding points at are marked, the first of them in view.

const form = document.querySelector("form[data-evidence]");

if (form) {
  const marked = form.dataset.evidence.split(",").filter(Boolean)
    .map((seq) => document.querySelector(`[data-lines] [data-seq="${CSS.escape(seq)}"]`))
    .filter(Boolean);
  marked.forEach((line) => line.classList.add("lw-evidence"));
  marked[0]?.scrollIntoView({ block: "nearest" });

  document.addEventListener("keydown", (press) => {
    const typing = press.target.closest("input, textarea, select, [contenteditable]") !== null;
    if (typing || press.ctrlKey || press.metaKey || press.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    form.querySelector(`[data-key="${CSS.escape(press.key.toLowerCase())}"]`)?.click();
  });
}
