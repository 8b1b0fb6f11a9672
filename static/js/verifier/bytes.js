// Bytes and the browser's own cryptography; nothing here comes from anywhere else.

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const encoded = (text) => utf8.encode(text);
export const decoded = (bytes) => strictUtf8.decode(bytes);

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes behind hexadecimal digits; anything else is refused. */
export function unhex(text) {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-fA-F]*$/.test(text)) {
    throw new TypeError("not hexadecimal");
  }
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The bytes behind base64 in its one canonical spelling. */
export function unbase64(text) {
  const raw = atob(text);
  if (btoa(raw) !== text) {
    throw new TypeError("not base64");
  }
  return Uint8Array.from(raw, (character) => character.charCodeAt(0));
}

export const equal = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

export async function hmac(salt, message) {
  const key = await crypto.subtle.importKey("raw", salt, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

/** Whether the key signed the message; a key or signature that is none signed nothing. */
export async function signed(publicKey, signature, message) {
  try {
    const key = await crypto.subtle.importKey("raw", unhex(publicKey), { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, key, signature, message);
  } catch {
    return false;
  }
}

// RFC 8032, test 2: a browser that does not confirm it cannot be trusted with the rest.
const KNOWN = {
  key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
  message: "72",
  signature:
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
};

/** What this browser lacks to check a bundle, in a word; null when it has everything. */
export async function lacking() {
  if (!globalThis.crypto?.subtle) {
    return "insecure";
  }
  if (!(await signed(KNOWN.key, unhex(KNOWN.signature), unhex(KNOWN.message)))) {
    return "ed25519";
  }
  return typeof DecompressionStream === "function" ? null : "inflate";
}
