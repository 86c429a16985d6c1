/** What the files for a CI are made for. */
export interface CiSettings {
  /** The folder of the workspace, seen from the root of the repository, with `/`. */
  readonly workspace: string;
  /** The environments, `default` being the default one. */
  readonly environments: readonly string[];
  readonly store: "file" | "git";
  /** The branch that is applied. */
  readonly branch: string;
  /** The environment variables that an apply needs. */
  readonly secrets: readonly string[];
}
