// Generated from schemas/toolset.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * Makes one resource for each key. `${each:NAME}` is a parameter of the key, `${each:key}` the key itself.
 */
export type ForEach =
  | {
      [k: string]: JsonObject | null | Expression;
    }
  | Expression;
/**
 * A string with a reference such as `${var:NAME}`, `${file:PATH}` or `${env:NAME}`, which is replaced by its value.
 */
export type Expression = string;
export type OperationPick =
  | string
  | {
      /**
       * A tag: all operations that have it.
       */
      tag: string;
    };
/**
 * If true, a plan that would replace, forget or delete the resource is an error.
 */
export type Protect = boolean | Expression;
/**
 * The earlier address or addresses of the resource, such as `agent:old-name`, so that a renamed resource keeps its ID.
 */
export type MovedFrom = string | string[];
/**
 * What happens to the object when this document is removed: it is left in the service and no longer managed, or deleted, which `service.operations` must allow.
 */
export type OnRemoval = ("forget" | "delete") | Expression;
/**
 * What happens to the old object when a new one replaces it: it is left in the service, or deleted at the end of the apply, if nothing refers to it any more.
 */
export type OnReplaced = ("keep" | "delete") | Expression;
/**
 * The environments in which the resource exists; everywhere unless given. The default environment has no name, so a resource with this list is not in it.
 *
 * @minItems 1
 */
export type Environments = [string, ...string[]];

/**
 * A set of tools made from an OpenAPI document, as a document of an agentform workspace.
 */
export interface ToolSetDocument {
  /**
   * The version of the document format.
   */
  apiVersion: "agentform/v1";
  /**
   * The kind of the resource that this document describes.
   */
  kind: "ToolSet";
  metadata: Metadata;
  for_each?: ForEach;
  /**
   * The operations that become tools, all unless given; only they and what they refer to are sent. Each item is an operationId, `METHOD /path` in which `*` matches any text, or `{tag: NAME}`.
   */
  operations?: [OperationPick, ...OperationPick[]] | Expression;
  spec: ToolSetSpec;
  lifecycle?: ToolSetLifecycle;
}
/**
 * The identity of the resource in the workspace; it is not sent to the service.
 */
export interface Metadata {
  /**
   * The key of the resource, unique for its kind: its address is made of both, such as `agent:KEY`, independently of the file's path. With `for_each` it is made with `${each:key}`.
   */
  name: string;
  /**
   * Labels, by which `--selector` selects resources.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Notes for people and other tools; agentform does not use them.
   */
  annotations?: {
    [k: string]: string;
  };
}
/**
 * The fields that are sent to the service, under the service's own names.
 */
export interface ToolSetSpec {
  /**
   * The name of the tool set; the service stores it with the prefix `openapi-`.
   */
  tool_set_name: string;
  /**
   * The OpenAPI document that defines the tools, one for each operation under `paths`, usually `${file:PATH}`.
   */
  openapi_schema: JsonObject | Expression;
  /**
   * The default headers of the tools' requests.
   */
  default_headers?:
    | {
        /**
         * The `authorization` header, a secret: write it as `${env:NAME}`.
         */
        authorization?: string;
        /**
         * The `proxy-authorization` header, a secret: write it as `${env:NAME}`.
         */
        "proxy-authorization"?: string;
        /**
         * The `cookie` header, a secret: write it as `${env:NAME}`.
         */
        cookie?: string;
        /**
         * The `api-key` header, a secret: write it as `${env:NAME}`.
         */
        "api-key"?: string;
        /**
         * The `x-api-key` header, a secret: write it as `${env:NAME}`.
         */
        "x-api-key"?: string;
        [k: string]: unknown;
      }
    | Expression;
  /**
   * The default query parameters of the tools' requests.
   */
  default_query_params?: JsonObject | Expression;
  /**
   * The default body parameters of the tools' requests.
   */
  default_body_params?: JsonObject | Expression;
  /**
   * The default parameters of single endpoints.
   */
  endpoint_defaults?: JsonObject | Expression;
  /**
   * Whether a language-model provider enhances the descriptions of the tools at creation; it needs `provider_api_key`.
   */
  enhance_descriptions?: boolean | Expression;
  /**
   * The key for the provider that enhances descriptions, a secret that is only used at creation: write it as `${env:NAME}`.
   */
  provider_api_key?: string;
  /**
   * The ID given by the service; it appears only in answers and is an error in a document.
   */
  _id?: string;
  /**
   * When the service created the object; read-only and an error in a document.
   */
  created_at?: string;
  /**
   * When the service last changed the object; read-only and an error in a document.
   */
  updated_at?: string;
}
/**
 * How agentform manages the resource; it is not sent to the service.
 */
export interface ToolSetLifecycle {
  protect?: Protect;
  /**
   * The IDs of existing tools that this tool set takes over, each as `operation=id`, or a mapping of such lists by environment.
   */
  adopt?:
    | (
        | string[]
        | {
            [k: string]: string[];
          }
      )
    | Expression;
  moved_from?: MovedFrom;
  on_removal?: OnRemoval;
  on_replaced?: OnReplaced;
  environments?: Environments;
}
