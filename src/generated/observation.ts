// Generated from schemas/observation.schema.json; do not edit.

import type { JsonObject } from "../json/json.js";

/**
 * The answers of the service about the managed objects at one moment, without secrets.
 */
export interface Observation {
  /**
   * The format of this observation and its version.
   */
  format: "agentform/observation/v1";
  /**
   * The time at which the first object was read, in ISO 8601.
   */
  at: string;
  /**
   * The workspace's name.
   */
  workspace: string;
  /**
   * The environment's name, or null for the default one.
   */
  environment: string | null;
  service: LockService;
  lock: ObservedLock;
  /**
   * The objects by address: one, or for a tool set one for each tool.
   */
  objects: {
    [k: string]: ObservedObject[];
  };
}
/**
 * The service to which the IDs belong.
 */
export interface LockService {
  /**
   * The address of the tool, credential and agent operations; `emulator` for the emulator.
   */
  base_url: string;
  /**
   * The address of the policy operation, if it is different.
   */
  rai_base_url?: string;
}
/**
 * The lock whose objects were read.
 */
export interface ObservedLock {
  /**
   * The lock's lineage.
   */
  lineage: string;
  /**
   * The lock's serial.
   */
  serial: number;
}
/**
 * The answer about one object.
 */
export interface ObservedObject {
  /**
   * The object's ID.
   */
  id: string;
  /**
   * Whether it is there; an object that cannot be read may be there or not.
   */
  state: "found" | "gone" | "unreadable";
  /**
   * Its body, with secrets masked and large documents as outlines.
   */
  body?: JsonObject;
  /**
   * The reason why it could not be read.
   */
  why?: string;
}
