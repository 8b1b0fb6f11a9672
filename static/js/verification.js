// Runs of the verification, kept up to date while one is under way.
import { coalesced, fragment, swap } from "./fragments.js";
import { refresh as refreshTimes } from "./times.js";

const runs = document.querySelector("[data-runs]");
const isUnderWay = () => runs.querySelector('[data-run="queued"], [data-run="running"]') !== null;

const refresh = coalesced(async () => {
  swap(runs, (await fragment(runs.dataset.runs)).body);
  refreshTimes(runs);
});

setInterval(() => {
  if (!document.hidden && isUnderWay()) {
    refresh();
  }
}, 1000);
