import type { LockLocation } from "../../generated/workspace.js";
/** The settings of the files for a CI. */
export interface CiSettings {
  /** The folder of the workspace, relative to the root of the repository, with `/`. */
  readonly workspace: string;
  /** The environments; `default` is the default one. */
  readonly environments: readonly string[];
  readonly store: LockLocation["store"];
  /** The branch from which changes are applied. */
  readonly branch: string;
  /** The environment variables that an apply needs. */
  readonly secrets: readonly string[];
  /** Those of them that reading the state needs. */
  readonly storeSecrets: readonly string[];
}
