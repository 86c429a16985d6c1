// Generated from schemas/observation.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { Observation } from "./observation.js";

export declare const validate: Validate<Observation>;
