// Canned replies: a slash at the start calls them up, arrows and Enter choose.

export function offerCanned(form) {
  const text = form.elements.text;
  const list = form.querySelector("[data-canned]");
  const replies = JSON.parse(form.querySelector("#canned-replies").textContent);
  let at = 0;

  const found = () => {
    const typed = /^\/(\S*)$/.exec(text.value)?.[1].toLowerCase();
    return typed === undefined ? [] : replies.filter((reply) => reply.shortcut.toLowerCase().startsWith(typed));
  };

  function choose(reply) {
    text.value = reply.text;
    list.hidden = true;
    text.focus();
    text.dispatchEvent(new Event("input"));
  }

  function show() {
    const offered = found();
    at = Math.max(0, Math.min(at, offered.length - 1));
    list.hidden = offered.length === 0;
    list.replaceChildren(...offered.map((reply, index) => {
      const item = document.createElement("li");
      item.role = "option";
      item.ariaSelected = String(index === at);
      const shortcut = document.createElement("strong");
      shortcut.textContent = `/${reply.shortcut}`;
      item.append(shortcut, ` ${reply.text.slice(0, 100)}`);
      item.addEventListener("click", () => choose(reply));
      return item;
    }));
  }

  text.addEventListener("input", () => { at = 0; show(); });
  text.addEventListener("keydown", (press) => {
    const offered = list.hidden ? [] : found();
    if (!offered.length) {
      return;
    }
    if (press.key === "ArrowDown" || press.key === "ArrowUp") {
      at += press.key === "ArrowDown" ? 1 : -1;
      show();
    } else if (press.key === "Enter" || press.key === "Tab") {
      choose(offered[at]);
    } else if (press.key === "Escape") {
      list.hidden = true;
    } else {
      return;
    }
    press.preventDefault();
    press.stopPropagation();
  });
}
