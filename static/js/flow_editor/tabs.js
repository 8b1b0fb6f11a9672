// Tabs by mouse, keyboard and address: #nodes opens the nodes.

export class Tabs {
  constructor(root, onShow, always) {
    Object.assign(this, { onShow, always, tabs: [...root.querySelectorAll("[role=tab]")] });
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(this.#name(tab)));
      tab.addEventListener("keydown", (event) => this.#step(event, tab));
    }
  }

  #name(tab) {
    return tab.getAttribute("aria-controls").replace("panel-", "");
  }

  #step(event, tab) {
    const index = this.tabs.indexOf(tab);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = this.tabs.at(to % this.tabs.length);
    next.focus();
    this.show(this.#name(next));
  }

  start() {
    const wanted = location.hash.slice(1);
    this.show(this.tabs.some((tab) => this.#name(tab) === wanted) ? wanted : "nodes");
  }

  show(name) {
    for (const tab of this.tabs) {
      const chosen = this.#name(tab) === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
      if (chosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    history.replaceState(null, "", `#${name}`);
    this.always(name);
    this.onShow[name]?.();
  }
}
