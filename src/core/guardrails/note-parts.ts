import type { KindName } from "../../generated/kinds.js";
import type { NamedOperation } from "../../generated/plan.js";
import { equal, isObject, member, type Json } from "../../json/json.js";

/** A value that changed; what was not set, or is not set now, is missing. */
export type Turn = { before?: Json; after?: Json };

/** A field that changed. */
export type FieldTurn = Turn & { field: string };

/** Items of a list of a check. */
export type CheckItems = { check: string; items: Json[] };

/** The names of the secret variables in a value; missing on the side that has no value. */
export type SecretsTurn = { before?: string[]; after?: string[] };

/** A value that is sent with the calls of a tool set, and the secret variables in it. */
export type SentSecret = { field: string; variables: string[] };

/** The addresses that calls went to and go to, and what goes along; operations are missing where it is all of them. */
export type ServersTurn = {
  servers: { before: string[]; after: string[] };
  operations?: NamedOperation[];
  secrets?: SentSecret[];
};

/** Operations of a tool set. */
export type ToolsOfSet = { toolset: string; operations: NamedOperation[] };

/** Where a security scheme says that a key goes. */
export type PlaceOfKey = {
  type?: string;
  in?: string;
  name?: string;
  scheme?: string;
  /** The ways in which a token is asked for. */
  flow?: string;
};

/** Why a resource has no document here: its keys of `for_each` are gone, or it lists other environments. */
export type WhyGone =
  | { keys: string[]; keys_in: string; included?: boolean }
  | { environment: string | null };

/** A run of characters that are not shown: which they are, how many, what is before them, and what they spell. */
export type HiddenPart = { characters: string[]; count: number; after: string; spells?: string };

/** A word with letters that are not Latin, by their scripts; of a host also how the network writes it. */
export type MixedPart = {
  word: string;
  foreign: { script: string; letters: string }[];
  ascii?: string;
};

/** What a note is about, by its code: everything that differs between two notes of one code, whole. */
export interface PartsOfNotes {
  "object-deleted": Record<never, never>;
  "check-off": { check: string; now: "gone" | "off" | "unsaid" };
  /** With the policies that the agent refers to now and did not before. */
  "policy-detached": { policy: string; former?: string; in_text: boolean; gained?: string[] };
  /** Whether the object is gone from the service, and not only no longer managed. */
  "policy-forgotten": { gone: boolean; why?: WhyGone };
  /** What it refers to, and the secret variables that it holds. */
  "object-forgotten": { uses: string[]; secrets: string[]; why?: WhyGone };
  "policy-feature-gone": { feature: string; policy: string };
  "policy-added": { feature: string; policy: string; policies: string[] };
  /** Alternatives, each of schemes and scopes, and where the keys of the schemes go now. */
  "security-dropped": {
    before: string[][];
    after: string[][];
    places?: Record<string, PlaceOfKey>;
    operations?: NamedOperation[];
  };
  "encryption-dropped": ServersTurn;
  "key-moved": {
    scheme: string;
    before?: PlaceOfKey;
    after?: PlaceOfKey;
    operations?: NamedOperation[];
  };
  /** Whether the same plan replaces the object. */
  "protect-removed": { replaced: boolean };
  /** Whether by a new object instead of by the removal of the document; the kind, where the deployment cannot delete it. */
  "removal-deletes": { replaced?: true; undeclared?: KindName };
  "banned-topic-gone": CheckItems;
  "keyword-gone": CheckItems;
  "pii-type-gone": CheckItems;
  "custom-pii-gone": CheckItems;
  "allowed-topics-emptied": CheckItems;
  "allowed-topic-added": CheckItems;
  "feature-removed": { feature: string };
  "policy-feature-changed": { feature: string; policies: string[]; changes: FieldTurn[] };
  /** Its priority, or the policies that come before it now and may allow more. */
  "policy-priority-changed": Turn & { feature: string; policies: string[]; behind?: string[] };
  "threshold-changed": FieldTurn;
  "check-action-changed": FieldTurn;
  "policy-setting-changed": FieldTurn;
  "pii-type-changed": FieldTurn;
  "custom-pii-changed": { label: string; changes: FieldTurn[] };
  /** Operations of a tool set, or IDs of tools that are written in the place of references; those of a new agent are all new. */
  "writing-tool-gained": (ToolsOfSet | { tools: string[] }) & { new?: true };
  /** Operations of a tool set, or types of features. */
  "tool-gained": ToolsOfSet | { features: string[] };
  /** Hosts in punycode, and how those are written that are not in ASCII. */
  "host-added": ServersTurn & { hosts: string[]; before: string[]; written?: Record<string, string> };
  "server-changed": ServersTurn;
  /** By their paths below the security schemes. */
  "token-address-changed": { fields: string[]; before?: string; after: string };
  /** Each with the name of the callback. */
  "callback-added": { callbacks: string[]; before: string[]; operations: NamedOperation[] };
  "credential-changed": FieldTurn;
  "secret-header-changed": { header: string; secrets: SecretsTurn };
  /** With those of the secrets that agentform itself uses, and of a new object those that went elsewhere so far, or go elsewhere in another workspace or environment. */
  "secret-changed": {
    field: string;
    secrets: SecretsTurn;
    own?: string[];
    elsewhere?: string[];
    nearby?: string[];
  };
  /** Of a value with secrets only their variables; `calls` where it goes with another operation than before. */
  "default-changed": { section: string; name: string } & (
    | Turn
    | { secrets: SecretsTurn }
    | { calls: { before?: NamedOperation; after: NamedOperation }; secrets: SentSecret[] }
  );
  /** An object that takes the place of another one, and of which nothing here has made or sent what it has. */
  "object-exchanged": Record<never, never>;
  /** An object of which nothing here has made or sent what it has. */
  "object-adopted": Record<never, never>;
  /** A reference, or the IDs of agents that the documents do not have. */
  "agent-gained": ({ agent: string } | { agents: string[] }) & { new?: true };
  "provider-changed": FieldTurn;
  "model-changed": FieldTurn;
  /** Whether it is an object that was there, of which nobody here knows the policy. */
  "agent-without-policy": { adopted?: true };
  /** The checks that do not say whether they are on. */
  "policy-without-checks": { unsaid: string[] };
  /** Sentences that are gone, also from below titles that forbid what they say, or that have other words. */
  "prohibition-lost": { field: string } & (
    | { gone: string[]; titles?: string[] }
    | { reworded: { before: string; after: string }[] }
  );
  /** A field of the tool set or of an operation; all words that it has now, where the lock keeps only a part. */
  "description-changed": FieldTurn & { operations?: NamedOperation[]; words?: string };
  /** The same, of what differs in nothing but punctuation and white space. */
  "description-repunctuated": FieldTurn & { operations?: NamedOperation[]; words?: string };
  "hidden-text": { field: string; runs: HiddenPart[] };
  "invisible-characters": { field: string; runs: HiddenPart[] };
  "mixed-scripts": { field: string; words: MixedPart[] };
  "first-apply": { creates: number };
  "setting-changed": FieldTurn;
  "state-edited": { part: string; key?: string; edit: "added" | "removed" | "changed"; fields: string[] } & {
    /** Of what is taken out of the lock: what stays in the service, and what knows of it. */
    stays?: "document" | "alone" | "retired" | "unknown";
  };
  "replacement-not-in-effect": { resources: string[] };
  /** The workspaces that refer to it, and what they lose: `exchanged` is the address another object moves to. */
  "used-by-others": {
    users: { where: string; addresses: string[] }[];
    replaced: boolean;
    exchanged?: string;
    gone?: string[];
  };
  /** The IDs last sent for a reference and those of now; where the earlier object is, and whether it was compared. */
  "used-id-changed": {
    reference: string;
    before?: string | string[];
    after?: string | string[];
    moved?: string;
    compared?: boolean;
  };
  "retired-deleted": { ids: string[] };
}

/** Gives the members in which two values differ; one that is no mapping has none. */
export function memberTurns(was: Json | undefined, is: Json | undefined): FieldTurn[] {
  if (was === is) return [];
  const fields = new Set([was, is].flatMap((side) => (isObject(side) ? Object.keys(side) : [])));
  return [...fields].flatMap((field) => {
    const [before, after] = [member(was, field), member(is, field)];
    return equal(before, after) ? [] : [{ field, ...turnOf(before, after) }];
  });
}

/** Gives the two sides of a change, without those that are not set. */
export function turnOf(before: Json | undefined, after: Json | undefined): Turn {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
