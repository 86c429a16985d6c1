import type { Includes } from "../expression/included-data.js";
import type { Diagnostic } from "../finding/diagnostic.js";
import type { Observation } from "../observation/observation.js";
import type { Fleet } from "../resources/fleet.js";
import type { Resource } from "../resources/resource.js";
import type { Lock } from "../state/lock.js";
import type { UneditedEnvironment } from "./patch-edits.js";
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
export interface KeepingDrift {
  readonly fleet: Fleet;
  readonly lock: Lock;
  readonly observation: Observation;
  readonly isChosen: (address: string) => boolean;
  readonly includes: Includes;
  /** Whether a file is a link, or behind one. */
  readonly isLinked: (file: string) => boolean;
  /** The other environments, and the folder of this one's patches. */
  readonly others: readonly UneditedEnvironment[];
  readonly patchFolder: string;
  /** Reads a file of the workspace. */
  readonly read: (file: string) => string | undefined;
  readonly render: RenderValue;
  /** Loads the workspace with other texts for some files. */
  readonly reload: (texts: ReadonlyMap<string, string>) => ReloadedWorkspace;
}
