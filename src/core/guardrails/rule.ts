import type { GuardrailNote } from "../../generated/plan.js";
import type { Json, JsonObject } from "../../json/json.js";
import type { KindName } from "../../generated/kinds.js";
import type { Mentions } from "./mention.js";
import type { OperationsOf, SortedNames } from "./operations.js";

/** What a rule has to say of one resource. */
export interface Remark {
  /** A sentence without its end mark; the resource is its subject where it names none. */
  readonly message: string;
  /** The field, as in the action's changes. */
  readonly path?: string;
}

/** One side of a change. */
export interface Side {
  /** The symbolic body; empty where the document is gone. */
  readonly body: JsonObject;
  readonly mentions: Mentions;
  readonly protect: boolean;
  /** The operations of the tool sets of this side. */
  readonly operations: OperationsOf;
}

/** A resource that was applied before and that an action touches. */
export interface Subject {
  readonly before: Side;
  readonly after: Side;
  /** The operations that a tool set has now and had not before. */
  readonly added: (toolset: string) => SortedNames;
}

/** One sort of change that weakens or widens. */
export interface Rule {
  readonly code: string;
  readonly effect: GuardrailNote["effect"];
  readonly kinds: readonly KindName[];
  /** Whether it looks at resources that change, or at those whose document is gone. */
  readonly on: "change" | "forget";
  /** When it speaks, as the documentation says it. */
  readonly meaning: string;
  readonly find: (subject: Subject) => Remark[];
}

/** Gives an own member of an object, or undefined of anything else. */
export function member(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Reads what should be a list: nothing is empty, and anything else than a list is its only item. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
