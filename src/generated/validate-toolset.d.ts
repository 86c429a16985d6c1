// Generated from schemas/toolset.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { ToolSetDocument } from "./toolset.js";

export declare const validate: Validate<ToolSetDocument>;
