import { hash } from "node:crypto";

/** The first line of a pack: how many bytes of texts and then of index follow, and the digest of the index. */
export interface PackHeader {
  readonly texts: number;
  readonly index: number;
  readonly digest: string;
}

/** Gives the digest of an index, in hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Renders the header, which has the same length for every pack. */
export function renderHeader({ texts, index, digest }: PackHeader): Buffer {
  const [first, second] = [texts, index].map((length) => String(length).padStart(12));
  return Buffer.from(`agentform/pack/v2 ${first} ${second} ${digest}\n`, "latin1");
}

/** How many bytes a header has. */
export const headerBytes = renderHeader({ texts: 0, index: 0, digest: "0".repeat(64) }).length;

/** Reads a header; undefined for anything that `renderHeader` does not give. */
export function readHeader(bytes: Uint8Array): PackHeader | undefined {
  const parts = Buffer.from(bytes).toString("latin1").trim().split(/ +/);
  const header = { texts: Number(parts[1]), index: Number(parts[2]), digest: parts[3] ?? "" };
  return renderHeader(header).equals(bytes) ? header : undefined;
}
