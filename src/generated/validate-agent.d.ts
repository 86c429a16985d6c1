// Generated from schemas/agent.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { AgentDocument } from "./agent.js";

export declare const validate: Validate<AgentDocument>;
