// Generated from schemas/workspace.schema.json; do not edit.

/**
 * The value of a variable, or a mapping that declares the variable.
 */
export type Variable =
  | string
  | number
  | boolean
  | {
      /**
       * What the variable is for.
       */
      description?: string;
      /**
       * The value where none is given; without it the variable is required.
       */
      default?: string | number | boolean;
    };

/**
 * The manifest of an agentform workspace, the file `agentform.yaml`.
 */
export interface WorkspaceManifest {
  /**
   * The version of the manifest format.
   */
  apiVersion: "agentform/v1";
  /**
   * Says that this document is the manifest.
   */
  kind: "Workspace";
  metadata: WorkspaceMetadata;
  spec: WorkspaceSpec;
}
/**
 * What identifies the workspace.
 */
export interface WorkspaceMetadata {
  /**
   * The name of the workspace, which its lock carries.
   */
  name: string;
}
/**
 * Where the service is and how the workspace is put together.
 */
export interface WorkspaceSpec {
  /**
   * The service that the workspace is applied to, where an environment says nothing else.
   */
  service?: ServiceSettings;
  /**
   * The folders, relative to the manifest, whose YAML files at any depth are documents.
   *
   * @maxItems 1000
   */
  include?: string[];
  /**
   * The variables that documents use as `${var:NAME}`: each its value, or a mapping that declares it.
   */
  variables?: {
    [k: string]: Variable;
  };
  /**
   * The environments by name, each with what differs from the rest of the manifest.
   */
  environments?: {
    [k: string]: Environment;
  };
  extra_fields?: ExtraFields;
  limits?: Limits;
  lock?: LockLocation;
}
/**
 * Where the service is and how this deployment of it answers.
 */
export interface ServiceSettings {
  /**
   * The base address of the tool and agent operations.
   */
  base_url?: string;
  /**
   * The base address of the policy operation.
   */
  rai_base_url?: string;
  /**
   * The API key of the service, a secret that apply alone resolves: write it as `${env:NAME}`.
   */
  api_key?: string;
  /**
   * The names on the wire of fields that this deployment calls otherwise, by the names that documents use.
   */
  field_names?: {
    [k: string]: string;
  };
  /**
   * Says that the deployment answers the IDs of tools in the order of the operations in the OpenAPI document.
   */
  tool_ids?: "document_order";
  id_pointers?: IdPointers;
  /**
   * The 5xx statuses that this deployment guarantees to mean that nothing was done; 502 and 504 are answered by proxies, which cannot know.
   */
  rejected_statuses?: number[];
}
/**
 * Where an answer keeps its ID, as a JSON pointer, by kind.
 */
export interface IdPointers {
  /**
   * Where the answer to the creation of a policy keeps its ID.
   */
  policy?: string;
  /**
   * Which member is the ID where that answer lists objects that have several, such as `/id`.
   */
  tool?: string;
  /**
   * Where the answer to the creation of a tool set keeps the list of tool IDs.
   */
  toolset?: string;
  /**
   * Where the answer to the creation of a credential keeps its ID.
   */
  credential?: string;
  /**
   * Where the answer to the creation of an agent keeps its ID.
   */
  agent?: string;
}
/**
 * What differs in one environment.
 */
export interface Environment {
  /**
   * The settings of the service that this environment replaces, one by one.
   */
  service?: ServiceSettings;
  /**
   * The values of variables in this environment, by name.
   */
  variables?: {
    [k: string]: string | number | boolean;
  };
}
/**
 * Fields of this deployment that agentform does not know, by kind, sent as they are.
 */
export interface ExtraFields {
  /**
   * Names of further fields of policies.
   */
  policy?: string[];
  /**
   * Names of further fields of tool sets.
   */
  toolset?: string[];
  /**
   * Names of further fields of credentials.
   */
  credential?: string[];
  /**
   * Names of further fields of agents.
   */
  agent?: string[];
}
/**
 * Limits that a plan must not pass.
 */
export interface Limits {
  /**
   * How many objects a plan may leave behind on the service before `--replace` must name them.
   */
  orphans?: number;
}
/**
 * Where lock and journal are kept: in files beside the manifest, or on a ref of a git remote.
 */
export interface LockLocation {
  /**
   * The store that keeps lock and journal.
   */
  store: "file" | "git";
  /**
   * The name of the git remote that the `git` store pushes to; `origin` unless given.
   */
  remote?: string;
  /**
   * The git ref that the `git` store keeps lock and journal on; `refs/agentform/WORKSPACE/ENV` unless given, with `default` for the default environment.
   */
  ref?: string;
}
