import type { JsonObject } from "../../json/json.js";
import { idsOf } from "../kind/identity.js";
import type { Identity } from "../kind/kind.js";
import type { StateChange } from "../plan/lock-changes.js";

/** The IDs of an object, and of a tool set which operation has which. */
export interface ChangedObject {
  readonly ids: readonly string[];
  readonly tools?: Readonly<Record<string, string>>;
}

/** What became of an address in the state. */
export type AddressChange =
  /** An object that exists; its document is sent with the next apply, or assumed to say what it is. */
  | ({ readonly type: "adopted"; readonly content: "to-send" | "assumed" } & ChangedObject)
  /** What a create of unknown outcome made, and what it left behind. */
  | ({
      readonly type: "found";
      readonly operation: "create" | "replace";
      readonly since: string;
      readonly left?: ChangedObject;
    } & ChangedObject)
  /** A part of what it made; what became of the other operations is still unknown. */
  | ({ readonly type: "partly-found"; readonly missing: readonly string[] } & ChangedObject)
  /** What had no ID has it now. */
  | ({ readonly type: "identified" } & ChangedObject)
  | ({ readonly type: "already-managed" } & ChangedObject)
  | { readonly type: "tools-named"; readonly tools: Readonly<Record<string, string>> }
  | { readonly type: "tools-named-already"; readonly tools: Readonly<Record<string, string>> }
  /** A create or a replacement did not happen; `kept` is what there was before, `left` what is there of it. */
  | { readonly type: "not-created"; readonly kept?: ChangedObject; readonly left?: ChangedObject }
  /** Both sides of a merge changed it, so that the next apply sends it again. */
  | { readonly type: "changed-twice" };

/** A name of a state before and after: of its workspace, or of its environment. */
export interface RenamedState {
  readonly of: "workspace" | "environment";
  readonly from: string;
  readonly to: string;
}

/** What was done to a lock, or is left to do. */
export type StoreChange =
  | ({ readonly lock: string } & LockChange)
  /** `read`: whether what could be read of it is in the lock now; `unsealed`: the addresses of what else it says was begun. */
  | {
      readonly type: "journal-kept";
      readonly journal: string;
      readonly file: string;
      readonly read: boolean;
      readonly unsealed?: readonly string[];
    }
  /** What a person does next: the store to write into the manifest, and the files to commit with it. */
  | { readonly type: "to-do"; readonly store?: JsonObject; readonly commit: readonly string[] };

type LockChange =
  | { readonly type: "unlocked"; readonly holder?: string; readonly since?: string }
  | { readonly type: "restored"; readonly serial: number; readonly merged_with: readonly string[] }
  /** `is`: what the lock is, the newest version that is known, or one state with its journal. */
  | { readonly type: "nothing-to-restore"; readonly is: "newest" | "whole" }
  | { readonly type: "merged" | "sealed"; readonly serial: number }
  | {
      readonly type: "moved" | "already-moved";
      readonly to: string;
      readonly serial: number;
      readonly renamed?: RenamedState;
    }
  | { readonly type: "renamed"; readonly serial: number; readonly renamed: RenamedState }
  | { readonly type: "already-renamed" | "nothing-to-rename" | "nothing-to-move" }
  | { readonly type: "sealed-already" | "nothing-to-seal" };

/** One thing that a repair of the state did. */
export type RepairChange = ({ readonly address: string } & AddressChange) | StoreChange;

/** A state that is not sealed with the key, for a person to look at. */
export interface UnsealedState {
  /** How it differs from the newest version that is; everything in it, if there is none. */
  readonly changes: readonly StateChange[];
  /** Where that version was found. */
  readonly against?: string;
  /** Says which state it is, journal included. */
  readonly digest: string;
}

/** Gives the IDs of an object, as a change tells them. */
export function changedObject(identity: Identity): ChangedObject {
  const { tools } = identity;
  return { ids: idsOf(identity), ...(tools && { tools }) };
}
