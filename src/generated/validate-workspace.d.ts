// Generated from schemas/workspace.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { WorkspaceManifest } from "./workspace.js";

export declare const validate: Validate<WorkspaceManifest>;
