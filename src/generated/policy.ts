// Generated from schemas/policy.schema.json; do not edit.

/**
 * A string that holds a reference such as `${var:NAME}`, `${file:PATH}` or `${env:NAME}`, in the place of the value that it resolves to.
 */
export type Expression = string;

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
  spec: PolicySpec;
  lifecycle?: PolicyLifecycle;
}
/**
 * What identifies the resource within the workspace; none of it is sent to the service.
 */
export interface Metadata {
  /**
   * The key of the resource, unique for its kind: with it the address is `policy:KEY`, wherever the file is.
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
         * The toxicity threshold, whose range the service does not document.
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
         * The prompt injection threshold, whose range the service does not document.
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
         * Types of personal information that the team defines itself.
         */
        custom_pii?: (CustomPii | Expression)[] | Expression;
      }
    | Expression;
  /**
   * The user that the policy belongs to.
   */
  user_id?: string;
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
export interface CustomPii {
  /**
   * The name of the custom type.
   */
  label?: string;
  /**
   * The text that stands in for a match.
   */
  replacement?: string;
  /**
   * What the service does with a match.
   */
  action?: string;
}
/**
 * How agentform treats the resource from plan to plan; none of it is sent to the service.
 */
export interface PolicyLifecycle {
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
   * The address, or addresses, that the resource had before, such as `policy:old-name`, so that a rename keeps its ID.
   */
  moved_from?: string | string[];
}
