// Everything wrong with a bundle, in the order of the checks; nothing for a sound one.
import { Bundle, checkEvents, checkKeys, checkManifest, checkPayloads } from "./ledger.js";
import { checkNote, checkProofs } from "./proofs.js";
import { unzipped, zipped } from "./zip.js";

/** `{problems, manifest}` of a zip's bytes; `pinned` is the public key that must have signed it. */
export async function verified(data, pinned = "") {
  const problems = [];
  const bundle = new Bundle(new Map());
  bundle.problems = problems;
  await attempt(problems, "the zip itself", () => readArchive(bundle, data));
  const checks = [
    ["manifest.json", () => checkManifest(bundle, pinned)],
    ["keys.json", () => checkKeys(bundle)],
    ["events.jsonl", () => checkEvents(bundle)],
    ["payloads.jsonl", () => checkPayloads(bundle)],
    [bundle.noteName, () => checkNote(bundle)],
    ["proofs.json", () => checkProofs(bundle)],
  ];
  for (const [name, check] of checks) {
    await attempt(problems, name, check, "malformed ");
  }
  return { problems, manifest: problems.length ? null : bundle.manifest };
}

async function attempt(problems, name, check, kind = "") {
  try {
    await check();
  } catch (problem) {
    problems.push(`${name}: ${kind}(${problem.name}: ${problem.message})`);
  }
}

async function readArchive(bundle, data) {
  const whole = [];
  for (const { name, content, problem } of await unzipped(data)) {
    if (problem) {
      bundle.found(`${name}: ${problem}`);
    } else {
      bundle.files.set(name, content);
      whole.push({ name, content });
    }
  }
  const expected = zipped(whole);
  const length = Math.max(data.length, expected.length);
  for (let at = 0; at < length; at++) {
    if (data[at] !== expected[at]) {
      bundle.found(`the zip itself: byte ${at} is not what its files make`);
      return;
    }
  }
}
