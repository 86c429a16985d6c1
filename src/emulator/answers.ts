import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../json/json.js";
import type { Operation } from "./openapi.js";
import type { KeptTool } from "./storage.js";

/**
 * How the emulator answers where deployments differ: tool IDs opaque and in document order, ending in the
 * operation's name, as objects, or in another order; or as little in every answer as interface.md allows.
 */
export type Answers = "opaque" | "names" | "objects" | "shuffled" | "minimal";

/** Dresses an opaque tool ID for the mode: `names` makes it end in `_` and the operation's name. */
export function nameTool(answers: Answers, id: string, operation: Operation): string {
  if (answers !== "names") return id;
  return `${id}_${operation.operationId ?? nameByPlace(operation)}`;
}

function nameByPlace({ method, path }: Operation): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

/** The answer to a new tool set (interface.md section 4, operation 2). */
export function answerToolSet(answers: Answers, tools: readonly KeptTool[]): JsonObject {
  if (answers === "objects") {
    return { tool_ids: tools.map(({ id, method, path }): Json => ({ name: id, method, path })) };
  }
  const ids = tools.map(({ id }) => id);
  return { tool_ids: answers === "shuffled" ? shuffle(ids) : ids };
}

/** The answer to a new credential (operation 6): a message and, unless minimal, the ID. */
export function answerCredential(answers: Answers, id: string): JsonObject {
  const message = "Credential created successfully";
  return answers === "minimal" ? { message } : { message, credential_id: id };
}

/** The answer to a new agent (operation 4): its ID and, unless minimal, a message. */
export function answerAgent(answers: Answers, id: string): JsonObject {
  return answers === "minimal" ? { agent_id: id } : { agent_id: id, message: "Agent created successfully" };
}

/** Adds the two times that a policy's answer shows (interface.md section 2.1), unless minimal or sent. */
export function stampPolicy(answers: Answers, body: JsonObject, now: string): JsonObject {
  return answers === "minimal" ? body : { created_at: now, updated_at: now, ...body };
}

// One cycle through all places, so that with two or more IDs none stays where the document has it.
function shuffle(ids: readonly string[]): string[] {
  const shuffled = [...ids];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = createHash("sha256").update(`${last} of ${ids.length}`).digest().readUInt32BE() % last;
    const taken = shuffled.splice(last, 1, ...shuffled.slice(other, other + 1));
    shuffled.splice(other, 1, ...taken);
  }
  return shuffled;
}
