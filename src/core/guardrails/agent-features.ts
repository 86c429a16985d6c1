import { canonical, equal, isObject, type Json, type JsonObject, member, listOf } from "../../json/json.js";
import { referencesIn } from "../expression/reference.js";
import { isOfKind } from "../kind/kinds.js";
import { memberTurns, turnOf, type FieldTurn } from "./note-parts.js";
import type { Side } from "./rule.js";

/** A feature of an agent. */
export interface Feature {
  /** Its type. */
  readonly label: string;
  /** The references to policies, and the ID that is in the place of one. */
  readonly policies: string[];
  readonly feature: JsonObject;
  /** Its place in the list. */
  readonly index: number;
}

/** Gives the features of an agent. */
export function featuresIn({ body }: Side): Feature[] {
  return listOf(body.features)
    .filter(isObject)
    .map((feature, index) => ({
      label: labelOf(feature.type),
      policies: policiesIn(feature),
      feature,
      index,
    }));
}

/** Gives those that have a policy. */
export function policyFeatures(side: Side): Feature[] {
  return featuresIn(side).filter(({ policies }) => policies.length > 0);
}

function policiesIn(feature: JsonObject): string[] {
  const policies = policyReferences(feature);
  const literal = member(feature.config, "policy_id");
  const isLiteral = typeof literal === "string" && literal !== "" && referencesIn(literal).length === 0;
  return [...policies, ...(isLiteral ? [literal] : [])].toSorted();
}

/** Gives the references to policies in a value. */
export function policyReferences(value: Json): string[] {
  return referencesIn(value)
    .map(({ text }) => text)
    .filter((text) => isOfKind(text, "policy"));
}

// Whatever the type of a feature is.
function labelOf(type: Json | undefined): string {
  return typeof type === "string" ? type : canonical(type ?? null);
}

/** Gives what tells apart features with policies: the type, and these. */
export function guardKey({ label, policies }: Feature): string {
  return JSON.stringify([label, policies]);
}

/** Gives the fields in which two values differ. */
export function turns(field: string, before: Json | undefined, after: Json | undefined): FieldTurn[] {
  if (!isObject(before) || !isObject(after)) {
    return equal(before, after) ? [] : [{ field, ...turnOf(before, after) }];
  }
  return memberTurns(before, after).flatMap(({ field: key, before: was, after: is }) =>
    turns(field === "" ? key : `${field}.${key}`, was, is),
  );
}
