// Generated from schemas/toolset.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * A string that holds a reference such as `${var:NAME}`, `${file:PATH}` or `${env:NAME}`, in the place of the value that it resolves to.
 */
export type Expression = string;

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
  spec: ToolSetSpec;
  lifecycle?: ToolSetLifecycle;
}
/**
 * What identifies the resource within the workspace; none of it is sent to the service.
 */
export interface Metadata {
  /**
   * The key of the resource, unique for its kind: with it the address is `toolset:KEY`, wherever the file is.
   */
  name: string;
  /**
   * Labels that `--selector` chooses resources by.
   */
  labels?: {
    [k: string]: string;
  };
  /**
   * Notes for people and other tools, which agentform does not read.
   */
  annotations?: {
    [k: string]: string;
  };
}
/**
 * What the service is sent, by the service's own field names.
 */
export interface ToolSetSpec {
  /**
   * The name of the tool set, which the service stores with the prefix `openapi-`.
   */
  tool_set_name: string;
  /**
   * The OpenAPI document that defines the tools, one for each operation under `paths`, usually `${file:PATH}`.
   */
  openapi_schema: JsonObject | Expression;
  /**
   * The headers that each request of the tools carries by default.
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
   * The query parameters that each request of the tools carries by default.
   */
  default_query_params?: JsonObject | Expression;
  /**
   * The body parameters that each request of the tools carries by default.
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
   * The key for the provider that enhances descriptions, a secret used at creation alone: write it as `${env:NAME}`.
   */
  provider_api_key?: string;
  /**
   * The identifier that the service gave; it appears in answers only and is an error in a document.
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
 * How agentform treats the resource from plan to plan; none of it is sent to the service.
 */
export interface ToolSetLifecycle {
  /**
   * Makes a plan that would replace or forget the resource an error.
   */
  protect?: boolean | Expression;
  /**
   * The IDs of tools that exist and that this tool set takes over, each as `operation=id`, or one such list for each environment by its name.
   */
  adopt?:
    | (
        | string[]
        | {
            [k: string]: string[];
          }
      )
    | Expression;
  /**
   * The address, or addresses, that the resource had before, such as `toolset:old-name`, so that a rename keeps its ID.
   */
  moved_from?: string | string[];
}
