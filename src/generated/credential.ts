// Generated from schemas/credential.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * A string that holds a reference such as `${var:NAME}`, `${file:PATH}` or `${env:NAME}`, in the place of the value that it resolves to.
 */
export type Expression = string;

/**
 * A credential for a provider, as a document of an agentform workspace.
 */
export interface CredentialDocument {
  /**
   * The version of the document format.
   */
  apiVersion: "agentform/v1";
  /**
   * The kind of the resource that this document describes.
   */
  kind: "Credential";
  metadata: Metadata;
  spec: CredentialSpec;
  lifecycle?: CredentialLifecycle;
}
/**
 * What identifies the resource within the workspace; none of it is sent to the service.
 */
export interface Metadata {
  /**
   * The key of the resource, unique for its kind: with it the address is `credential:KEY`, wherever the file is.
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
export interface CredentialSpec {
  /**
   * The name of the credential.
   */
  name: string;
  /**
   * The provider that the credential is for.
   */
  provider_id?: string;
  /**
   * The secrets themselves, by the names that the provider wants: write each as `${env:NAME}`.
   */
  credentials?: JsonObject | Expression;
  /**
   * What goes with the credential and is not secret.
   */
  meta_data?: JsonObject | Expression;
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
export interface CredentialLifecycle {
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
   * The address, or addresses, that the resource had before, such as `credential:old-name`, so that a rename keeps its ID.
   */
  moved_from?: string | string[];
}
