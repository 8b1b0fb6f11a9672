// What needs somebody now, kept up to date.
import { watch } from "./connection.js";
import { coalesced, fragment, swap } from "./fragments.js";
import { refresh as refreshTimes } from "./times.js";

const now = document.querySelector("[data-now]");
const refresh = coalesced(async () => {
  if (!document.hidden) {
    swap(now, (await fragment(now.dataset.now)).body);
    refreshTimes(now);
  }
}, 3000);

watch("/ws/inbox", { onQueue: refresh });
setInterval(refresh, 30000);
document.addEventListener("visibilitychange", refresh);
