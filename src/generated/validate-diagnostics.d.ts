// Generated from schemas/diagnostics.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { Diagnostics } from "./diagnostics.js";

export declare const validate: Validate<Diagnostics>;
