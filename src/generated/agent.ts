// Generated from schemas/agent.schema.json; do not edit.

import type { Json, JsonObject } from "../json/json.js";

/**
 * A string that holds a reference such as `${var:NAME}`, `${file:PATH}` or `${env:NAME}`, in the place of the value that it resolves to.
 */
export type Expression = string;

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
  spec: AgentSpec;
  lifecycle?: AgentLifecycle;
}
/**
 * What identifies the resource within the workspace; none of it is sent to the service.
 */
export interface Metadata {
  /**
   * The key of the resource, unique for its kind: with it the address is `agent:KEY`, wherever the file is.
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
   * The nucleus sampling setting, whose bounds the service does not document.
   */
  top_p?: number | Expression;
  /**
   * The sampling temperature, whose bounds the service does not document.
   */
  temperature?: number | Expression;
  /**
   * The format that the agent's answers have.
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
export interface AgentFeature {
  /**
   * The type of the feature, such as `RAI` or `SINGLE_TOOL_CALL`; other types are accepted.
   */
  type?: string;
  /**
   * The configuration of the feature, whose fields depend on its type.
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
 * How agentform treats the resource from plan to plan; none of it is sent to the service.
 */
export interface AgentLifecycle {
  /**
   * Makes a plan that would replace or forget the resource an error.
   */
  protect?: boolean | Expression;
  /**
   * The ID of an object that exists and that this resource takes over, or one such ID for each environment by its name.
   */
  adopt?:
    | string
    | {
        [k: string]: string;
      };
  /**
   * The address, or addresses, that the resource had before, such as `agent:old-name`, so that a rename keeps its ID.
   */
  moved_from?: string | string[];
}
