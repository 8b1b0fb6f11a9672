// The chat of a handoff: read along, and answer while it is yours.
import { offerCanned } from "./canned.js";
import { compose } from "./composer.js";
import { follow } from "./talk.js";

const root = document.querySelector("[data-relationship][data-news]");
const form = document.querySelector("[data-composer]");
const PATIENCE_MS = 3000;
let leaving = false;
let composer;

const OWNER = new Set(["handoff_claimed", "handoff_released", "handoff_transferred", "handoff_returned", "handoff_resolved", "conversation_closure"]);

// whose it is has changed: the page says anew what can be done. A half-written reply is kept; one that waits to be sent
// is sent first, and comes back into the box where it is refused
async function readAnew() {
  leaving = true;
  await Promise.race([composer?.settled(), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
  location.reload();
}

const socket = follow(root, { onEvent: (event) => OWNER.has(event.type) && !leaving && readAnew() });

if (form) {
  offerCanned(form);
  composer = compose(form, { onTyping: () => socket.typing(), onDone: () => socket.viewing() });
}

// what was said before an act is said before it: after it the conversation may be somebody else's, or over
document.addEventListener("submit", async (submit) => {
  if (submit.target === form) {
    return;
  }
  leaving = true;
  const onItsWay = composer?.settled();
  if (onItsWay) {
    submit.preventDefault();
    await onItsWay;
    submit.target.requestSubmit(submit.submitter);
  }
});

root.addEventListener("click", (click) => {
  const draft = click.target.closest("[data-use]");
  if (draft && form) {
    form.elements.text.value = draft.closest("[data-seq]").querySelector(".lw-said").textContent.trim();
    form.elements.text.focus();
  }
});
if (matchMedia("(max-width: 900px)").matches) {
  document.querySelector(".lw-queue-fold").open = false;
}
