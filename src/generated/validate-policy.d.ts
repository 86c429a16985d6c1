// Generated from schemas/policy.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { PolicyDocument } from "./policy.js";

export declare const validate: Validate<PolicyDocument>;
