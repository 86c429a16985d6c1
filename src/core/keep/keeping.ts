import type { Diagnostic } from "../finding/diagnostic.js";
import type { Observation } from "../observation/observation.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import type { Lock } from "../state/lock.js";
import type { EditPlanning } from "./planned-edits.js";
import type { RenderValue } from "./yaml-edit.js";

/** A workspace with some of its files edited. */
export interface ReloadedWorkspace {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Its errors. */
  readonly problems: readonly Diagnostic[];
  /** What the edits would make something else in other environments. */
  readonly elsewhere: readonly ChangedElsewhere[];
}

/** A resource that edits would change in another environment. */
export interface ChangedElsewhere {
  readonly environment: string;
  readonly address: string;
  readonly files: readonly string[];
}

/** What is kept, and what with. */
export interface KeepingDrift extends Omit<EditPlanning, "documents" | "nameSecret"> {
  readonly fleet: Fleet;
  readonly lock: Lock;
  readonly observation: Observation;
  readonly isChosen: (address: string) => boolean;
  /** Reads a file of the workspace. */
  readonly read: (file: string) => string | undefined;
  readonly render: RenderValue;
  /** Loads the workspace with other texts for some files. */
  readonly reload: (texts: ReadonlyMap<string, string>) => ReloadedWorkspace;
}
