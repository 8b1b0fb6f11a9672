// Relative times, kept going; the exact time is the element's title.

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const words = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "always" });
const exact = new Intl.DateTimeFormat(document.documentElement.lang || "en", { dateStyle: "full", timeStyle: "long" });

export function relative(moment, now = Date.now()) {
  const seconds = Math.round((moment - now) / 1000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS.at(-1);
  return words.format(Math.trunc(seconds / size), unit);
}

/** Sets a <time> to another moment. */
export function setMoment(element, text) {
  element.dateTime = text;
  show(element, Date.now());
}

function show(element, now) {
  const moment = Date.parse(element.dateTime);
  const told = relative(moment, now);
  if (element.textContent !== told) {
    element.textContent = told;
  }
  element.title = exact.format(moment);
}

export function refresh(root = document) {
  const now = Date.now();
  for (const element of root.querySelectorAll("time[data-relative]")) {
    show(element, now);
  }
}

refresh();
setInterval(refresh, 5000);
