import type { Json } from "./json.js";

/** The value of a JSON text, or the offset at which it stops being JSON, in UTF-16 code units. */
export type ParsedJson =
  | { readonly value: Json; readonly offset?: undefined }
  | { readonly value?: undefined; readonly offset: number };

/** Parses a JSON text; never throws, and quotes nothing of the text. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (cause) {
    return { offset: errorOffset(cause, text) };
  }
}

// The end of the text where the engine names no position.
function errorOffset(cause: unknown, text: string): number {
  const position = /position (\d+)/.exec(cause instanceof Error ? cause.message : "")?.[1];
  return position === undefined ? text.length : Number(position);
}
