// Generated from schemas/agent.schema.json; do not edit.

import type { Json, JsonObject } from "../json/json.js";

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
 * An agent as a document of an agentform workspace.
 */
export interface AgentDocument {
  /**
   * The version of the document format.
   */
  apiVersion: "agentform/v1";
  /**
   * The kind of the resource that this document describes.
   */
  kind: "Agent";
  metadata: Metadata;
  for_each?: ForEach;
  spec: AgentSpec;
  lifecycle?: Lifecycle;
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
export interface AgentSpec {
  /**
   * The name of the agent.
   */
  name: string;
  /**
   * The system prompt, often `${file:PATH}`.
   */
  system_prompt?: string;
  /**
   * What the agent is for.
   */
  description?: string;
  /**
   * The features of the agent, such as a responsible-AI policy.
   */
  features?: (AgentFeature | Expression)[] | Expression;
  /**
   * The IDs of the tools that the agent may use: `${toolset:KEY}` for a whole set or `${toolset:KEY/OPERATION}` for one tool.
   */
  tools?: string[] | Expression;
  /**
   * The ID of the credential for the model's provider, usually `${credential:KEY}`.
   */
  llm_credential_id?: string;
  /**
   * The provider of the language model.
   */
  provider_id?: string;
  /**
   * The name of the model.
   */
  model?: string;
  /**
   * The nucleus sampling setting; the service does not document its bounds.
   */
  top_p?: number | Expression;
  /**
   * The sampling temperature; the service does not document its bounds.
   */
  temperature?: number | Expression;
  /**
   * The format of the agent's answers.
   */
  response_format?: JsonObject | Expression;
  /**
   * An API key of the agent, a secret from the service's sample configuration: write it as `${env:NAME}`.
   */
  api_key?: string;
  /**
   * The template type, a field of the service's sample configuration.
   */
  template_type?: Json;
  /**
   * The role of the agent, a field of the service's sample configuration.
   */
  agent_role?: Json;
  /**
   * The instructions of the agent, a field of the service's sample configuration.
   */
  agent_instructions?: Json;
  /**
   * Examples for the agent, a field of the service's sample configuration.
   */
  examples?: Json;
  /**
   * A tool of the agent, a field of the service's sample configuration.
   */
  tool?: Json;
  /**
   * How the agent uses its tool, a field of the service's sample configuration.
   */
  tool_usage_description?: Json;
  /**
   * The version of the configuration, a field of the service's sample configuration.
   */
  version?: string;
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
export interface AgentFeature {
  /**
   * The type of the feature, such as `RAI` or `SINGLE_TOOL_CALL`; other types are accepted.
   */
  type?: string;
  /**
   * The configuration of the feature; its fields depend on the type.
   */
  config?:
    | {
        /**
         * The module mode, a setting of the feature type `SINGLE_TOOL_CALL`.
         */
        module_mode?: Json;
        [k: string]: unknown;
      }
    | Expression;
  /**
   * The priority of the feature among the agent's features.
   */
  priority?: number | Expression;
}
/**
 * How agentform manages the resource; it is not sent to the service.
 */
export interface Lifecycle {
  protect?: Protect;
  /**
   * The ID of an existing object that this resource takes over, or a mapping of such IDs by environment.
   */
  adopt?:
    | string
    | {
        [k: string]: string;
      };
  moved_from?: MovedFrom;
  on_removal?: OnRemoval;
  on_replaced?: OnReplaced;
  environments?: Environments;
}
