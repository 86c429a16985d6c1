// Generated from schemas/policy.schema.json; do not edit.

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
 * A responsible-AI policy as a document of an agentform workspace.
 */
export interface PolicyDocument {
  /**
   * The version of the document format.
   */
  apiVersion: "agentform/v1";
  /**
   * The kind of the resource that this document describes.
   */
  kind: "Policy";
  metadata: Metadata;
  for_each?: ForEach;
  spec: PolicySpec;
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
export interface PolicySpec {
  /**
   * The name of the policy.
   */
  name: string;
  /**
   * What the policy is for.
   */
  description?: string;
  /**
   * The topics that a conversation may be about.
   */
  allowed_topics?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * The allowed topics.
         */
        topics?:
          | (
              | string
              | {
                  [k: string]: unknown;
                }
            )[]
          | Expression;
      }
    | Expression;
  /**
   * The topics that a conversation must not be about.
   */
  banned_topics?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * The banned topics.
         */
        topics?:
          | (
              | string
              | {
                  [k: string]: unknown;
                }
            )[]
          | Expression;
      }
    | Expression;
  /**
   * The check for keywords.
   */
  keywords?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * The keywords to look for.
         */
        keywords?:
          | (
              | string
              | {
                  [k: string]: unknown;
                }
            )[]
          | Expression;
      }
    | Expression;
  /**
   * The check for toxic text.
   */
  toxicity_check?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * The toxicity threshold; the service does not document its range.
         */
        threshold?: number | Expression;
      }
    | Expression;
  /**
   * The check for prompt injection.
   */
  prompt_injection?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * The prompt injection threshold; the service does not document its range.
         */
        threshold?: number | Expression;
      }
    | Expression;
  /**
   * The check for secrets in text.
   */
  secrets_detection?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * What the service does with a secret that it finds.
         */
        action?: string;
      }
    | Expression;
  /**
   * The check for personally identifiable information.
   */
  pii_detection?:
    | {
        /**
         * Whether the check is on.
         */
        enabled?: boolean | Expression;
        /**
         * What the service does with each type of personal information, by the name of the type.
         */
        types?:
          | {
              [k: string]: string;
            }
          | Expression;
        /**
         * Custom types of personal information.
         */
        custom_pii?: (CustomPii | Expression)[] | Expression;
      }
    | Expression;
  /**
   * The user to whom the policy belongs.
   */
  user_id?: string;
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
export interface CustomPii {
  /**
   * The name of the custom type.
   */
  label?: string;
  /**
   * The text that replaces a match.
   */
  replacement?: string;
  /**
   * What the service does with a match.
   */
  action?: string;
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
