// Generated from schemas/workspace.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

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
       * The default value; without it, the variable is required.
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
   * Marks this document as the manifest.
   */
  kind: "Workspace";
  metadata: WorkspaceMetadata;
  spec: WorkspaceSpec;
}
/**
 * The identity of the workspace.
 */
export interface WorkspaceMetadata {
  /**
   * The name of the workspace; it is recorded in the lock.
   */
  name: string;
}
/**
 * The service, and the parts of the workspace.
 */
export interface WorkspaceSpec {
  /**
   * The service to which the workspace is applied, unless an environment replaces it.
   */
  service?: ServiceSettings;
  /**
   * The folders with documents, relative to the manifest; YAML files at any depth are read.
   *
   * @maxItems 1000
   */
  include?: string[];
  /**
   * The variables that documents use as `${var:NAME}`: for each its value, or a mapping that declares it.
   */
  variables?: {
    [k: string]: Variable;
  };
  /**
   * The environments by name, each with its differences from the rest of the manifest.
   */
  environments?: {
    [k: string]: Environment;
  };
  extra_fields?: ExtraFields;
  /**
   * Fields that documents get where they do not give them; a later entry wins over an earlier one, and the document over all.
   *
   * @maxItems 1000
   */
  defaults?: DocumentDefault[];
  /**
   * The codes of warnings that are not reported; `--verbose` says how many there were.
   */
  ignore?: string[];
  limits?: Limits;
  lock?: LockLocation;
}
/**
 * The address of the service, and how this deployment answers.
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
   * The API key of the service, a secret that only apply resolves: write it as `${env:NAME}`.
   */
  api_key?: string;
  /**
   * This deployment's own names of fields, as sent in requests, by the names in documents.
   */
  field_names?: {
    [k: string]: string;
  };
  /**
   * States that the deployment answers tool IDs in the order of the operations in the OpenAPI document.
   */
  tool_ids?: "document_order";
  id_pointers?: IdPointers;
  /**
   * The 5xx statuses with which this deployment guarantees that nothing was done; not 502 and 504, because proxies answer these and cannot know.
   */
  rejected_statuses?: number[];
}
/**
 * The place of the ID in an answer, as a JSON pointer, by kind.
 */
export interface IdPointers {
  /**
   * The place of the ID in the answer to the creation of a policy.
   */
  policy?: string;
  /**
   * The place of the ID in each object of the list of tools, such as `/id`, if an object has several possible members.
   */
  tool?: string;
  /**
   * The place of the list of tool IDs in the answer to the creation of a tool set.
   */
  toolset?: string;
  /**
   * The place of the ID in the answer to the creation of a credential.
   */
  credential?: string;
  /**
   * The place of the ID in the answer to the creation of an agent.
   */
  agent?: string;
}
/**
 * The differences of one environment.
 */
export interface Environment {
  /**
   * The settings of the service that differ in this environment; each replaces one setting.
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
 * Fields of this deployment that agentform does not know, by kind; they are sent unchanged.
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
 * Fields for the documents of one kind, or for those of them that have some labels.
 */
export interface DocumentDefault {
  /**
   * The kind of the documents, as in their `kind`.
   */
  kind: "Policy" | "ToolSet" | "Credential" | "Agent";
  /**
   * The labels that a document must have, all of them; every document of the kind unless given.
   */
  selector?: {
    [k: string]: string;
  };
  /**
   * The fields, laid under the document's `spec` by JSON Merge Patch: mappings are merged, all else is replaced, and `null` in the document takes a field away.
   */
  spec: JsonObject;
}
/**
 * Limits that a plan must not exceed.
 */
export interface Limits {
  /**
   * How many objects a plan may leave behind in the service; more need `--replace`.
   */
  orphans?: number;
}
/**
 * Where lock and journal are stored: in files beside the manifest, or on a ref of a git remote.
 */
export interface LockLocation {
  /**
   * The type of the store for lock and journal.
   */
  store: "file" | "git";
  /**
   * The git remote to which the `git` store pushes; default `origin`.
   */
  remote?: string;
  /**
   * The git ref on which the `git` store keeps lock and journal; default `refs/agentform/WORKSPACE/ENV`, with `default` for the default environment.
   */
  ref?: string;
}
