import { parse } from "yaml";
import type { Json } from "../../json/json.js";

/** Parses a file of a CI; undefined if it is no YAML. Its tags, such as `!reference`, are the CI's own. */
export function parseJobs(text: string): Json | undefined {
  try {
    return parse(text, { logLevel: "error" }) as Json;
  } catch {
    return undefined;
  }
}
