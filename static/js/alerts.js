// Somebody waits, in the queue or offered to this operator: on every screen a number before the title and beside Inbox and,
// unless switched off, a soft tone until it is claimed.
import { watch } from "./connection.js";

const EVERY_MS = 8000;
const SETTLE_MS = 300;
const KEY = "lastword.sound";
const title = document.title;
const box = document.querySelector("[data-sound]");
const waiting = new Set();
let shown = 0;
let settling;
let audio;

function tone() {
  audio ??= new AudioContext();
  const [sound, volume, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  sound.frequency.setValueAtTime(660, at);
  sound.frequency.setValueAtTime(880, at + 0.12);
  volume.gain.setValueAtTime(0.08, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
  sound.connect(volume).connect(audio.destination);
  sound.start(at);
  sound.stop(at + 0.4);
}

function ring() {
  // a browser gives no sound to a page nobody has touched yet
  if (waiting.size && localStorage.getItem(KEY) !== "off" && navigator.userActivation?.hasBeenActive !== false) {
    tone();
  }
}

function settle() {
  const more = waiting.size > shown;
  shown = waiting.size;
  document.title = shown ? `(${shown}) ${title}` : title;
  for (const link of document.querySelectorAll("[data-inbox-link]")) {
    const badge = link.querySelector(".lw-nav-count") ?? link.appendChild(document.createElement("span"));
    badge.className = "lw-nav-count";
    badge.hidden = !shown;
    badge.textContent = interpolate(ngettext("%s waits", "%s wait", shown), [shown]);
  }
  if (more) {
    ring();
  }
}

function soon() {
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLE_MS);
}

/** Begins to watch the queue. */
export function alertWhenSomebodyWaits() {
  const { alerts: inbox, user } = document.body.querySelector("[data-alerts]").dataset;
  const waitsForMe = ({ status, transfer_to: offeredTo }) => status === "waiting" || (status === "claimed" && offeredTo === user);
  document.querySelectorAll(`nav a[href="${inbox}"], #nav-sidebar a[href="${inbox}"]`).forEach((link) => { link.dataset.inboxLink = ""; });
  watch("/ws/inbox", {
    onStatus(status) {
      if (status === "open") {
        waiting.clear(); // the server names everybody who waits anew
        soon();
      }
    },
    onQueue(message) {
      if (message) {
        waiting[waitsForMe(message.handoff) ? "add" : "delete"](message.handoff.id);
        soon();
      }
    },
  });
  setInterval(ring, EVERY_MS);
}

if (box) {
  box.checked = localStorage.getItem(KEY) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEY, box.checked ? "on" : "off"));
}
