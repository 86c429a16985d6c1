import { createHash } from "node:crypto";
import type { Pack } from "../../../src/workspace/cache/pack.js";

/** What an actor is told to do with a pack of so many keys in a cache folder. */
export type Order = { readonly folder: string; readonly count: number } & (
  | { readonly do: "churn" | "watch"; readonly milliseconds: number }
  | { readonly do: "die at step"; readonly step: number }
);

/** Gives the keys that actors use. */
export function keysOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => createHash("sha256").update(`${index}`).digest("hex"));
}

/** Gives what an actor keeps under a key in a round: head and texts belong together. */
export function expectedOf(
  key: string,
  round: string,
): { head: { key: string; round: string }; texts: string[] } {
  return {
    head: { key, round },
    texts: [`${key} ${round}`, `${round} `.repeat(100 + (key.charCodeAt(0) % 50))],
  };
}

/** Counts the keys that a pack does not know, and throws where what it gives was never kept. */
export function missing(pack: Pack, count: number): number {
  let lacking = 0;
  for (const key of keysOf(count)) {
    const remembered = pack.get(key);
    if (!remembered) {
      lacking++;
      continue;
    }
    const { round } = remembered.head as { round: string };
    const given = { head: remembered.head, texts: [remembered.text(0), remembered.text(1)] };
    if (JSON.stringify(given) !== JSON.stringify(expectedOf(key, round)))
      throw new Error("it was never kept");
  }
  return lacking;
}
