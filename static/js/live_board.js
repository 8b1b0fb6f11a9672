// The board: rows on the page change in place; which rows there are, and in which order, the server says.
import { watch } from "./connection.js";
import { coalesced, fragment, swap } from "./fragments.js";
import { setMoment } from "./times.js";

const board = document.getElementById("board");
const words = JSON.parse(document.getElementById("board-words").textContent);
const seen = new Set([...board.querySelectorAll("tr[data-id]")].map((row) => row.dataset.id));
const warned = new Set();
const REFRESH_MS = 5000;

const refresh = coalesced(async () => {
  if (document.hidden) {
    return;
  }
  const page = await fragment(board.dataset.rows + location.search);
  // looked at only now: somebody may have chosen while the rows were on their way
  const chosen = new Set([...board.querySelectorAll("input:checked")].map((box) => box.value));
  if (swap(board, page.body)) {
    board.querySelectorAll("input[name=chosen]").forEach((box) => { box.checked = chosen.has(box.value); });
    board.dispatchEvent(new Event("change"));
  }
}, REFRESH_MS);

function put(row, field, text) {
  const cell = row.querySelector(`[data-field="${field}"]`);
  if (cell.textContent !== text) {
    cell.textContent = text;
  }
}

function show(summary) {
  const row = board.querySelector(`tr[data-id="${summary.id}"]`);
  if (!row || Number(row.dataset.seq) > summary.seq) {
    return;
  }
  row.dataset.seq = summary.seq;
  row.classList.toggle("lw-ended", summary.closed);
  put(row, "depth", `${summary.depth}/${summary.max_depth}`);
  row.querySelector('[data-field="bar"]').style.width = `${Math.min(100, (100 * summary.depth) / summary.max_depth)}%`;
  row.querySelector(".lw-depth").classList.toggle("lw-warn", summary.depth >= summary.max_depth - 1);
  setMoment(row.querySelector('[data-field="expires"] time'), summary.expires_at);
  put(row, "current", summary.closed ? words.closed : summary.current ?? "–");
  const owner = row.querySelector('[data-field="owner"]');
  owner.className = `lw-badge lw-owner-${summary.owner.kind}`;
  put(row, "owner", summary.owner.operator ?? words[summary.owner.kind]);
  row.querySelector('[data-field="risk"]').className = summary.loop_risk ? "lw-badge lw-bad" : "lw-faint";
  put(row, "risk", summary.loop_risk ? interpolate(gettext("⚠ %s % sure"), [Math.round(100 * summary.loop_risk)]) : gettext("none seen"));
  put(row, "last_line", summary.last_line);
}

watch("/ws/live", {
  onSummary(summary) {
    show(summary);
    // a first warning may put a conversation of another page on top
    const warns = summary.loop_risk && !warned.has(summary.id);
    if (warns || !seen.has(summary.id) || summary.closed) {
      seen.add(summary.id);
      if (warns) {
        warned.add(summary.id);
      }
      refresh();
    }
  },
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());

const bulk = document.querySelector("[data-bulk]");
if (bulk) {
  const count = bulk.querySelector("[data-chosen]");
  const tell = () => {
    const chosen = board.querySelectorAll("input[name=chosen]:checked").length;
    bulk.dataset.any = chosen ? "yes" : "no";
    count.textContent = interpolate(ngettext("%s chosen", "%s chosen", chosen), [chosen]);
  };
  board.addEventListener("change", (change) => {
    if (change.target.matches("[data-choose-all]")) {
      board.querySelectorAll("input[name=chosen]").forEach((box) => { box.checked = change.target.checked; });
    }
    tell();
  });
  tell();
}
for (const choice of document.querySelectorAll("[data-filters] select")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
}
