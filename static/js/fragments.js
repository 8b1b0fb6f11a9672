// Pieces of pages: the server renders and escapes every word, this only puts them in place.

const RETRY_MS = 2000;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** A page's fragment as a document; scripts in it never run. */
export async function fragment(url) {
  const answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (answer.redirected && answer.url.includes("/login/")) {
    location.reload(); // the login has ended: the page itself says so best
  }
  if (!answer.ok) {
    // a refusal stays one; a server that is away for a moment is asked again
    throw Object.assign(new Error(`${url}: ${answer.status}`), { final: answer.status < 500 });
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Runs `work` when asked: one at a time, once more if asked meanwhile, at most every `gap` milliseconds. */
export function coalesced(work, gap = 0) {
  let running = false;
  let asked = false;
  return async function ask() {
    asked = true;
    if (running) {
      return;
    }
    running = true;
    while (asked) {
      asked = false;
      try {
        await work();
      } catch (problem) {
        if (!problem.final) {
          asked = true;
          await pause(RETRY_MS);
        }
      }
      await pause(gap);
    }
    running = false;
  };
}

/** Puts new children into `target`, unless somebody is busy in it: then `false`. */
export function swap(target, source) {
  const focused = target.contains(document.activeElement) ? document.activeElement : null;
  if (target.querySelector("details[open] form") || focused?.matches("input:not([type=checkbox]), textarea, select")) {
    return false;
  }
  const row = focused?.closest("[data-id], [data-handoff]");
  const key = row?.dataset.id ?? row?.dataset.handoff;
  const scrolled = [...target.querySelectorAll(".lw-scroll")].map((place) => place.scrollLeft);
  target.replaceChildren(...source.childNodes);
  target.querySelectorAll(".lw-scroll").forEach((place, index) => { place.scrollLeft = scrolled[index] ?? 0; });
  if (key) {
    const again = target.querySelector(`[data-id="${key}"], [data-handoff="${key}"]`);
    (focused === row ? again : again?.querySelector(focused.localName))?.focus();
  }
  return true;
}

/** Sends a form as the browser would, and gives the answer: `{ok, message, ...}`. */
export async function send(action, body) {
  try {
    // kept alive: what was sent is sent, also when the page is left meanwhile
    const answer = await fetch(action, { method: "POST", body, keepalive: true, headers: { Accept: "application/json" }, credentials: "same-origin" });
    return await answer.json();
  } catch {
    return { ok: false, message: gettext("The server did not take it. Try again.") };
  }
}
