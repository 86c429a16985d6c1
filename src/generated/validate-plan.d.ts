// Generated from schemas/plan.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { Plan } from "./plan.js";

export declare const validate: Validate<Plan>;
