import type { JsonObject } from "../../../src/json/json.js";
import type { Dice } from "../dice.js";
import type { Roster } from "./fleet.js";
import { dataAt, type World } from "./world.js";

/** The sorts of things of which a danger takes one that no other danger of its storm has. */
export type Pool = "languages" | "families" | "desks" | "staff" | "apis" | "teams";

/** A world after the honest changes of a storm, with what dangers may still be planted in. */
export interface Site {
  readonly world: World;
  readonly roster: Roster;
  readonly dice: Dice;
  /** Takes one of a pool, or throws if none is left. */
  readonly take: (pool: Pool) => string;
}

/** A dangerous edit among honest ones. */
export interface HiddenDanger {
  readonly sort: string;
  /** Whether a guardrail note is about it, so that it is among the first. */
  readonly isNoted: boolean;
  /** Makes the edit and says by what a reader knows it. */
  readonly plant: (site: Site) => Trace;
}

/** What a reader must see of a danger. */
export interface Trace {
  /** Names of what it is in: resources, a file, a setting. One of them must stand with it. */
  readonly names: readonly (string | RegExp)[];
  /** What it says, or takes away: each of these in full, in a line that is not folded. */
  readonly shows: readonly (string | RegExp)[];
  /** How many lines from the first of them the others may be; as far as the name may be unless given. */
  readonly within?: number;
}

/** What a plan says of a resource whose object it lets go of, which is still in the service. */
export const lettingGo = (address: string): RegExp =>
  new RegExp(`(?=.*${address}\\b)(?=.*(?:forg[eo]t|stays?\\b|no longer manage))`);

/** Gives the spec of the document of a desk. */
export const deskSpec = ({ world }: Site, name: string): JsonObject =>
  dataAt(world, `agents/desk-${name}.yaml`, "spec");

/** Gives the spec of the document of one of the staff. */
export const staffSpec = ({ world }: Site, name: string): JsonObject =>
  dataAt(world, `agents/staff-${name}.yaml`, "spec");

/** Makes a patch of a document in the planned environment. */
export function patch({ world }: Site, kind: string, name: string, spec: JsonObject): void {
  const document = { apiVersion: "agentform/v1", kind, metadata: { name }, spec };
  world.data.set(`environments/production/${name}.yaml`, document);
}
