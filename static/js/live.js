// The one socket client of the console. It keeps a connection and hands on what arrives; it renders nothing.
//
//   import { connect } from "./live.js";
//   const live = connect(`/ws/relationships/${id}`, { afterSeq: 12, onEvent, onPresence, onStatus });
//   live.viewing(); live.typing(); live.close();
//
// onStatus is told "connecting", "open", "reconnecting" or "refused" (with the close code: 4401 log in again,
// 4403 no right, 4404 no such conversation). After a break the server sends whatever was missed.

const PING_EVERY = 15_000;
const SILENT_FOR = 40_000;
const VIEWING_EVERY = 30_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const FINAL = new Set([4400, 4401, 4403, 4404]);

/** Opens a socket that stays open; see the head of this file. */
export function connect(path, options = {}) {
  return new Connection(path, options);
}

class Connection {
  #path; #on; #seq; #socket = null; #attempt = 0; #ended = false; #heardAt = 0; #timers = new Set(); #place = null;

  constructor(path, { afterSeq = 0, onEvent, onSummary, onQueue, onPresence, onStatus, onError } = {}) {
    this.#path = path;
    this.#seq = afterSeq;
    this.#on = { event: onEvent, summary: onSummary, queue: onQueue, presence: onPresence, error: onError, status: onStatus };
    this.#every(PING_EVERY, () => this.#beat());
    this.#every(VIEWING_EVERY, () => this.#place && this.#say(this.#place));
    window.addEventListener("online", this.#retryNow);
    document.addEventListener("visibilitychange", this.#retryNow);
    this.#open("connecting");
  }

  /** The sequence number of the last event handed on. */
  get seq() { return this.#seq; }

  /** Says that this person views the conversation; said again after a break. */
  viewing(relationship) {
    this.#place = { type: "viewing", ...(relationship && { relationship }) };
    this.#say(this.#place);
  }

  /** Says that this person writes; to be called while they do. */
  typing(relationship) { this.#say({ type: "typing", ...(relationship && { relationship }) }); }

  /** Ends the connection for good. */
  close() {
    this.#ended = true;
    this.#timers.forEach(clearInterval);
    window.removeEventListener("online", this.#retryNow);
    document.removeEventListener("visibilitychange", this.#retryNow);
    this.#socket?.close(1000);
  }

  #open(status) {
    this.#tell("status", status);
    const address = new URL(this.#path, window.location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (this.#seq) address.searchParams.set("after_seq", this.#seq);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => { this.#heardAt = Date.now(); this.#tell("status", "open"); if (this.#place) this.#say(this.#place); };
    socket.onmessage = (frame) => this.#hear(JSON.parse(frame.data));
    socket.onclose = (closing) => { if (socket === this.#socket) this.#closed(closing.code); };
  }

  #hear(message) {
    this.#heardAt = Date.now();
    this.#attempt = 0;
    if (message.type === "event") {
      if (message.seq <= this.#seq) return;
      this.#seq = message.seq;
    }
    this.#tell(message.type, message);
  }

  #closed(code) {
    this.#socket = null;
    if (this.#ended) return;
    if (FINAL.has(code)) {
      this.close();
      this.#tell("status", "refused", code);
      return;
    }
    this.#tell("status", "reconnecting");
    // doubling, with half of it by chance: a restarted server must not be met by everybody at once
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#attempt++);
    this.#retry = setTimeout(() => this.#open("reconnecting"), wait * (0.5 + Math.random() / 2));
  }

  #retry = null;

  #retryNow = () => {
    if (this.#ended || this.#socket || document.hidden) return;
    clearTimeout(this.#retry);
    this.#open("reconnecting");
  };

  #beat() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heardAt > SILENT_FOR) {
      // half-open: the browser may take minutes to notice
      const stale = this.#socket;
      this.#closed(1006);
      stale.close();
    } else {
      this.#say({ type: "ping" });
    }
  }

  #say(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #tell(kind, ...told) { this.#on[kind]?.(...told); }

  #every(milliseconds, act) { this.#timers.add(setInterval(act, milliseconds)); }
}
