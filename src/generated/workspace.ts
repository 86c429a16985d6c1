// Generated from schemas/workspace.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * How one object is read: `GET PATH` with `{id}`, or a mapping that says more.
 */
export type ReadOperation =
  | string
  | {
      request: OperationRequest;
      host?: OperationHost;
      object?: OperationObject;
      gone?: OperationGone;
    };
/**
 * Method and path, such as `GET /v3/agents/{id}`.
 */
export type OperationRequest = string;
/**
 * Which address of the service it is at: `base` for `base_url`, `rai` for `rai_base_url`; that of the kind's create unless given.
 */
export type OperationHost = "base" | "rai";
/**
 * The place of the object in the answer, or in an item of the list, as a JSON pointer; all of it unless given.
 */
export type OperationObject = string;
/**
 * The statuses which say that there is no such object; 404 unless given.
 */
export type OperationGone = number[];
/**
 * How all objects are listed: `GET PATH`, or a mapping that says more.
 */
export type ListOperation =
  | string
  | {
      request: OperationRequest;
      host?: OperationHost;
      /**
       * The place of the list in the answer, as a JSON pointer; the answer itself unless given.
       */
      items?: string;
      object?: OperationObject;
      /**
       * The place of the ID in each item, as a JSON pointer; where the ID of a create's answer is looked for unless given.
       */
      id?: string;
      /**
       * The place of the next page in the answer, as a JSON pointer: its address, or with `parameter` a value for that parameter of the query. Nothing there, or null, ends the list.
       */
      next?: string;
      /**
       * The parameter of the query that gets the value at `next`.
       */
      parameter?: string;
    };
/**
 * How an object gets a new body, sent whole: `PUT PATH` with `{id}`, or a mapping that says more.
 */
export type UpdateOperation =
  | string
  | {
      request: OperationRequest;
      host?: OperationHost;
    };
/**
 * How an object is deleted: `DELETE PATH` with `{id}`, or a mapping that says more.
 */
export type DeleteOperation =
  | string
  | {
      request: OperationRequest;
      host?: OperationHost;
      gone?: OperationGone;
    };
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
 * Where lock and journal are stored: in files beside the manifest, on a ref of a git remote, on a server of Terraform's HTTP state protocol, such as GitLab, in a PostgreSQL database, or in a bucket of S3.
 */
export type LockLocation = {
  /**
   * The type of the store for lock and journal.
   */
  store: "file" | "git" | "http" | "postgres" | "s3";
  /**
   * The git remote to which the `git` store pushes; default `origin`.
   */
  remote?: string;
  /**
   * The git ref on which the `git` store keeps lock and journal; default `refs/agentform/WORKSPACE/ENV`, with `default` for the default environment.
   */
  ref?: string;
  gitlab?: GitlabState;
  /**
   * The address of the state for the `http` store: https, or http on loopback. An environment has a state of its own, with `-ENV` at the end of the path, unless the address contains `{environment}`.
   */
  address?: string;
  /**
   * The address at which the `http` store locks; that of the state unless given.
   */
  lock_address?: string;
  /**
   * The address at which the `http` store unlocks; that of locking unless given.
   */
  unlock_address?: string;
  /**
   * The method with which the `http` store locks; default `LOCK`.
   */
  lock_method?: string;
  /**
   * The method with which the `http` store unlocks; default `UNLOCK`.
   */
  unlock_method?: string;
  /**
   * The user name for the `http` store, which may be `${env:NAME}`; default TF_HTTP_USERNAME.
   */
  username?: string;
  /**
   * The password or token for the `http` store, a secret: write it as `${env:NAME}`; default TF_HTTP_PASSWORD, and in a job of GitLab its own token.
   */
  password?: string;
  /**
   * The address of the database for the `postgres` store, a secret: write it as `${env:DATABASE_URL}`, with nothing around it. What it leaves out, and all of it unless given, comes from PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGSSLMODE and PGSSLROOTCERT.
   */
  url?: string;
  /**
   * The schema of the database in which the `postgres` store has its tables; default `agentform`. All workspaces and environments may share one.
   */
  schema?: string;
  /**
   * The bucket in which the `s3` store keeps lock and journal.
   */
  bucket?: string;
  /**
   * The key of the state in the bucket of the `s3` store. An environment has a state of its own, with `-ENV` at the end of the key, unless the key contains `{environment}`.
   */
  key?: string;
  /**
   * The region of the bucket, such as `eu-central-1`; needed unless there is an `endpoint`, where it is `us-east-1` unless given.
   */
  region?: string;
  /**
   * The address of an S3 server other than Amazon's for the `s3` store: https, or http on loopback. The bucket is added to its path.
   */
  endpoint?: string;
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
  operations?: ServiceOperations;
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
 * The operations that this deployment has beyond the documented ones, by kind; nothing is assumed without it.
 */
export interface ServiceOperations {
  /**
   * Operations of policies.
   */
  policy?: UpdatableOperations;
  /**
   * Operations of tools; each is of one tool of a set.
   */
  toolset?: ReadableOperations;
  /**
   * Operations of credentials.
   */
  credential?: UpdatableOperations;
  /**
   * Operations of agents.
   */
  agent?: ReadableOperations;
}
/**
 * The operations of a kind that has no documented update.
 */
export interface UpdatableOperations {
  read?: ReadOperation;
  list?: ListOperation;
  update?: UpdateOperation;
  delete?: DeleteOperation;
}
/**
 * The operations of a kind whose objects can already be updated.
 */
export interface ReadableOperations {
  read?: ReadOperation;
  list?: ListOperation;
  delete?: DeleteOperation;
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
 * The state managed by GitLab that the `http` store uses, instead of addresses. The API's address is CI_API_V4_URL, or that of gitlab.com.
 */
export interface GitlabState {
  /**
   * The project that has the state: its path, such as `group/name`, or its number.
   */
  project: string | number;
  /**
   * The name of the state; default the name of the workspace. An environment has a state of its own, `NAME-ENV`, unless the name contains `{environment}`.
   */
  name?: string;
}
