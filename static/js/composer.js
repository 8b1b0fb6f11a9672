// Writing a reply: five seconds to take it back, canned replies after a slash, notes for colleagues.
import { named, sending } from "./sending.js";

const UNDO_SECONDS = 5;
const TYPING_MS = 3000;
const QUOTED = 60;

/** Makes the form a chat's; gives `settled`, which sends what waits and ends when that is answered. */
export function compose(form, { onTyping, onDone }) {
  const text = form.elements.text;
  const state = form.querySelector("[data-send-state]");
  const undo = form.querySelector("[data-undo]");
  const retry = form.querySelector("[data-retry]");
  const draftKey = `lastword.draft.${form.action}`;
  let pending = null;
  let typedAt = 0;

  function bodyOf({ words, id }) {
    const body = new FormData(form);
    body.set("text", words);
    body.set("client_id", id);
    return body;
  }

  function giveBack(words) {
    text.value = [words, text.value].filter(Boolean).join("\n");
    sessionStorage.setItem(draftKey, text.value);
  }

  const mail = sending(`lastword.unsent.${form.action}`, {
    bodyOf,
    onSent() {
      state.textContent = state.dataset.sent;
      retry.hidden = true;
    },
    onRefused({ words }, answer) {
      state.textContent = `${state.dataset.failed} ${answer.message}`;
      retry.hidden = true;
      giveBack(words);
    },
    onUnsure({ words }) {
      const quoted = words.length > QUOTED ? `${words.slice(0, QUOTED)}…` : words;
      state.textContent = state.dataset.unsure.replace("%s", () => quoted);
      retry.hidden = false;
    },
  });

  function settle() {
    clearInterval(pending.timer);
    const words = pending.words;
    pending = null;
    undo.hidden = true;
    state.textContent = "";
    return words;
  }

  function flush() {
    return pending ? mail.put(named(form.action, settle())) : mail.running();
  }

  function takeBack() {
    if (pending) {
      giveBack(settle());
      text.focus();
    }
  }

  function sendSoon() {
    const words = text.value.trim();
    if (!words) {
      return;
    }
    flush();
    let left = UNDO_SECONDS;
    const tell = () => { state.textContent = state.dataset.sending.replace("%s", left); };
    pending = { words, timer: setInterval(() => { left -= 1; left > 0 ? tell() : flush(); }, 1000) };
    text.value = "";
    sessionStorage.removeItem(draftKey);
    typedAt = 0;
    onDone();
    undo.hidden = false;
    tell();
  }

  form.addEventListener("submit", (submit) => {
    submit.preventDefault();
    if (submit.submitter?.matches("[data-note]")) {
      const words = text.value.trim();
      if (words) {
        text.value = "";
        sessionStorage.removeItem(draftKey);
        mail.put(named(form.dataset.noteAction, words));
      }
    } else {
      sendSoon();
    }
  });
  undo.addEventListener("click", takeBack);
  retry.addEventListener("click", () => mail.retry());
  text.addEventListener("input", () => {
    sessionStorage.setItem(draftKey, text.value);
    if (Date.now() - typedAt > TYPING_MS) {
      typedAt = Date.now();
      onTyping();
    }
  });
  form.addEventListener("keydown", (press) => {
    if (press.key === "Enter" && (press.ctrlKey || press.metaKey)) {
      form.requestSubmit(form.querySelector("[data-send]"));
    } else if (press.key === "Escape") {
      takeBack();
    }
  });
  // whoever leaves has not taken it back: what waits is sent
  addEventListener("pagehide", () => pending && navigator.sendBeacon(form.action, bodyOf(named(form.action, settle()))));
  text.value ||= sessionStorage.getItem(draftKey) ?? "";
  return { settled: flush };
}
