// What was sent and nobody has taken yet: in order, across reloads. Each message keeps the name it was first sent under, by
// which the server knows a second try from a second message.
import { send } from "./fragments.js";

// not randomUUID: that is missing where a console is served without TLS
const newName = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A message under a name of its own. */
export const named = (action, words) => ({ action, words, id: newName() });

/** Sends messages as `bodyOf` spells them; one that nobody answers for stays first until `retry`. */
export function sending(key, { bodyOf, onSent, onRefused, onUnsure }) {
  const waiting = JSON.parse(sessionStorage.getItem(key) ?? "[]");
  let running = null;
  const keep = () => sessionStorage.setItem(key, JSON.stringify(waiting));

  async function drain() {
    while (waiting.length) {
      const [message] = waiting;
      const answer = await send(message.action, bodyOf(message));
      if (!answer.ok && !answer.code) {
        onUnsure(message); // no answer of ours: it may have arrived or not
        return;
      }
      waiting.shift();
      keep();
      answer.ok ? onSent(message) : onRefused(message, answer);
    }
  }

  function retry() {
    running ??= drain().finally(() => { running = null; });
    return running;
  }

  if (waiting.length) {
    onUnsure(waiting[0]); // what the page was left with
  }
  return {
    retry,
    /** What ends when nothing is on its way. */
    running: () => running,
    put(message) {
      waiting.push(message);
      keep();
      return retry();
    },
  };
}
