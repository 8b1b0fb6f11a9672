// The page: a bundle is dropped or picked, read here, and goes nowhere.
import { lacking } from "./bytes.js";
import { verified } from "./bundle.js";

const root = document.querySelector("[data-verifier]");
const verdict = root.querySelector("[data-verdict]");
const list = root.querySelector("[data-problems]");
const words = root.dataset;
const MAX_SHOWN = 50;

function say(text, state) {
  verdict.textContent = text;
  verdict.dataset.state = state;
  verdict.className = { sound: "lw-good", broken: "lw-bad" }[state] ?? "";
}

async function check(file) {
  const lack = await lacking();
  if (lack) {
    say(words[`lacks${lack[0].toUpperCase()}${lack.slice(1)}`], "not-checked");
    return;
  }
  say(`${words.checking} ${file.name}`, "checking");
  list.replaceChildren();
  const pinned = root.querySelector("[name=pinned]").value.trim();
  const { problems, manifest } = await verified(new Uint8Array(await file.arrayBuffer()), pinned);
  if (problems.length) {
    say(`✕ ${words.broken} ${file.name}`, "broken");
    list.replaceChildren(...problems.slice(0, MAX_SHOWN).map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    return;
  }
  const trust = pinned ? words.pinned : words.unpinned.replace("KEY", manifest.public_key);
  const of = manifest.relationships?.length ?? 1;
  say(`✓ ${words.sound.replace("EVENTS", manifest.events).replace("CONVERSATIONS", of)} ${trust}`, "sound");
}

const picker = root.querySelector("[type=file]");
picker.hasChangeListener = true; // else Unfold's own listener looks for a text field beside it, and there is none
picker.addEventListener("change", () => picker.files.length && check(picker.files[0]));
const zone = root.querySelector("[data-drop]");
for (const kind of ["dragenter", "dragover"]) {
  zone.addEventListener(kind, (event) => {
    event.preventDefault();
    zone.dataset.over = "";
  });
}
zone.addEventListener("dragleave", () => delete zone.dataset.over);
zone.addEventListener("drop", (event) => {
  event.preventDefault();
  delete zone.dataset.over;
  if (event.dataTransfer.files.length) {
    check(event.dataTransfer.files[0]);
  }
});
lacking().then((lack) => lack && say(words[`lacks${lack[0].toUpperCase()}${lack.slice(1)}`], "not-checked"));
