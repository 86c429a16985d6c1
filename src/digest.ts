import { hash as digest } from "node:crypto";

/** SHA-256 of bytes, or of a text in UTF-8, in hexadecimal digits. */
export function contentDigest(content: Uint8Array | string): string {
  return digest("sha256", content);
}

/** SHA-256 of a text, in the form of core's digests. */
export function hash(text: string): string {
  return `sha256:${contentDigest(text)}`;
}
