import { createHash, hash as digest, randomBytes } from "node:crypto";
import type { HashPieces } from "./json/json.js";

/** SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits. */
export function contentDigest(content: Uint8Array | string): string {
  return digest("sha256", content);
}

/** SHA-256 of bytes, or of a text in UTF-8, that come in pieces, in hexadecimal digits. */
export function piecesDigest(pieces: Iterable<Uint8Array | string>): string {
  const digesting = createHash("sha256");
  for (const piece of pieces) digesting.update(piece);
  return digesting.digest("hex");
}

/** SHA-256 in the form of core's digests. */
export const hash: HashPieces = (text) =>
  `sha256:${typeof text === "string" ? contentDigest(text) : piecesDigest(text)}`;

/** Gives a unique name: 16 random hexadecimal digits. */
export function newName(): string {
  return randomBytes(8).toString("hex");
}
