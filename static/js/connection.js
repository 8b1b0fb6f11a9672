// The line that says whether the page is live, and one socket for everybody on the page who watches the same.
import { connect } from "./live.js";

const line = document.querySelector("[data-connection]");
const watched = new Map();

function tell() {
  const states = [...watched.values()].map((each) => each.status);
  const refused = states.includes("refused");
  line.hidden = !refused && !states.includes("reconnecting");
  line.textContent = refused ? gettext("No longer live: your login or your right has ended. Load the page again.") : line.dataset.words;
}

/** Opens a socket whose state the page shows, or joins the one that is open. */
export function watch(path, handlers) {
  const known = watched.get(path);
  if (known) {
    known.listeners.push(handlers);
    handlers.onQueue?.(); // it may have missed a hint: let it look once
    return known.socket;
  }
  const entry = { listeners: [handlers], status: "connecting" };
  watched.set(path, entry);
  const all = (name) => (...told) => entry.listeners.forEach((each) => each[name]?.(...told));
  entry.socket = connect(path, {
    afterSeq: handlers.afterSeq,
    onEvent: all("onEvent"),
    onSummary: all("onSummary"),
    onQueue: all("onQueue"),
    onPresence: all("onPresence"),
    onStatus(status) {
      entry.status = status;
      tell();
      all("onStatus")(status);
    },
  });
  return entry.socket;
}
