import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../fixtures/transcripts");

/** One exchange of test/fixtures/transcripts; the request is ready to be sent. */
export interface Transcript {
  name: string;
  /** The part of the name after the dot, or `opaque`. */
  mode: string;
  request: string;
  status: number;
  body: unknown;
}

/** Reads all transcripts, in the order of their names. */
export function readTranscripts(): Transcript[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((name) => {
      const request = splitMessage(readFileSync(join(FOLDER, name, "request.http"), "utf8"));
      const response = splitMessage(readFileSync(join(FOLDER, name, "response.http"), "utf8"));
      const length = `content-length: ${Buffer.byteLength(request.body)}`;
      return {
        name,
        mode: name.split(".")[1] ?? "opaque",
        request: [...request.head, "connection: close", length, "", request.body].join("\r\n"),
        status: Number(response.head[0]?.split(" ")[1]),
        body: JSON.parse(response.body),
      };
    });
}

function splitMessage(text: string): { head: string[]; body: string } {
  const end = text.indexOf("\n\n");
  return { head: text.slice(0, end).split("\n"), body: text.slice(end + 2).replace(/\n$/, "") };
}

/** The keys of a value and the JSON types under them; a list has the shapes of its items. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shapeOf(entry)]));
}
