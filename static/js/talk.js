// A transcript that goes on by itself. The socket says that there is news; the server renders it, after the last line
// that is here, so that nothing is missing and nothing comes twice.
import { watch } from "./connection.js";
import { coalesced, fragment, swap } from "./fragments.js";
import { presenceWords } from "./presence.js";
import { refresh as refreshTimes } from "./times.js";

/** Follows the conversation of `root`; gives the socket, to say that somebody types. */
export function follow(root, { onEvent = () => {} } = {}) {
  const lines = root.querySelector("[data-lines]");
  const scroller = lines.parentElement;
  let head = Number(root.dataset.head);
  let newest = head;

  const news = coalesced(async () => {
    const page = await fragment(`${root.dataset.news}?after_seq=${head}`);
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
    const fresh = page.querySelector("[data-lines]");
    head = Math.max(head, Number(fresh.dataset.upto));
    lines.append(...fresh.children);
    for (const name of ["why", "acts"]) {
      const [here, there] = [document, page].map((where) => where.querySelector(`[data-${name}]`));
      if (here && there) {
        swap(here, there);
      }
    }
    refreshTimes(document);
    if (atEnd) {
      scroller.scrollTop = scroller.scrollHeight;
    }
    if (head < newest) {
      news(); // more was missed than one page holds
    }
  });

  if (!location.hash) {
    scroller.scrollTop = scroller.scrollHeight;
  }
  const socket = watch(`/ws/relationships/${root.dataset.relationship}`, {
    afterSeq: head,
    onEvent(message) {
      newest = Math.max(newest, message.seq);
      if (newest > head) {
        news();
      }
      onEvent(message.event);
    },
    onPresence(message) {
      root.querySelector("[data-presence]").textContent = presenceWords(message.people ?? [], root.dataset.me);
    },
  });
  socket.viewing();
  return socket;
}
