// Generated from schemas/credential.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { CredentialDocument } from "./credential.js";

export declare const validate: Validate<CredentialDocument>;
