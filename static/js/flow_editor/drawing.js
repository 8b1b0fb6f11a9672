// The server's drawing, with figures from real conversations written into its nodes.

import { call } from "./calls.js";
import { el, fill } from "./dom.js";

export class DrawingPanel {
  constructor(store, panel, { figuresUrl, goTo }) {
    Object.assign(this, { store, panel, figuresUrl, goTo, figures: {} });
    panel.addEventListener("click", (event) => {
      const item = event.target.closest("a[data-path]");
      if (!item) return;
      event.preventDefault();
      goTo(item.dataset.path);
    });
    store.on("checked", () => this.draw());
  }

  async load() {
    try {
      this.figures = (await call(this.figuresUrl)).nodes;
    } catch {
      this.figures = {}; // the drawing says less, and still says all about the definition
    }
    this.draw();
  }

  draw() {
    const place = this.panel.querySelector("[data-drawing]");
    const { report } = this.store;
    if (!report?.drawing) {
      const why = report?.turn_bound === null ? gettext("The definition cannot be read yet; the findings say why.") : gettext("This flow is too large to be drawn.");
      place.replaceChildren(el("p", { class: "lw-empty" }, why));
      return;
    }
    const read = new DOMParser().parseFromString(report.drawing, "image/svg+xml");
    place.replaceChildren(document.importNode(read.documentElement, true));
    for (const slot of place.querySelectorAll("[data-figures]")) {
      const node = this.figures[slot.dataset.figures];
      if (node) slot.textContent = fill(gettext("%(tried)s tried · %(dropped)s left · %(handoffs)s handed over"), node);
    }
    place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2; // the beginning stands in the middle
  }
}
