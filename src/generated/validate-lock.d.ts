// Generated from schemas/lock.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { Lock } from "./lock.js";

export declare const validate: Validate<Lock>;
