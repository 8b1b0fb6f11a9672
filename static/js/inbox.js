// The queue: the server says who is in it; how long each has waited goes on here.
import { watch } from "./connection.js";
import { coalesced, fragment, swap } from "./fragments.js";
import { presenceWords } from "./presence.js";
import { refresh as refreshTimes } from "./times.js";

const queue = document.querySelector("[data-queue]");
const people = new Map();

const refresh = coalesced(async () => {
  const page = await fragment(`${queue.dataset.queue}?chosen=${queue.dataset.chosen}`);
  swap(queue, page.body);
  settle();
}, 300);

function settle() {
  const figures = queue.firstElementChild.dataset;
  const now = Date.now();
  for (const entry of queue.querySelectorAll("[data-requested]")) {
    const waited = (now - Date.parse(entry.dataset.requested)) / 1000;
    const patience = waited >= Number(figures.breach) ? "breach" : waited >= Number(figures.warn) ? "warn" : "fine";
    entry.classList.remove("lw-patience-fine", "lw-patience-warn", "lw-patience-breach");
    entry.classList.add(`lw-patience-${patience}`);
    entry.querySelector("[data-patience]").textContent = figures[`${patience}Words`];
  }
  for (const [relationship, names] of people) {
    const line = queue.querySelector(`[data-presence-of="${relationship}"]`);
    if (line) {
      line.textContent = names;
    }
  }
  refreshTimes(queue);
}

settle();
setInterval(settle, 5000);
watch("/ws/inbox", {
  onQueue: refresh,
  onPresence(message) {
    people.set(message.relationship, presenceWords(message.people ?? [], queue.dataset.me));
    settle();
  },
});
