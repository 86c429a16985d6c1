// Generated from schemas/journal.schema.json; do not edit.

import type { Validate } from "../json/validate.js";
import type { JournalLine } from "./journal.js";

export declare const validate: Validate<JournalLine>;
