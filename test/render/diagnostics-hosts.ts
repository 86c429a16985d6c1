import type { Diagnostic } from "../../src/generated/diagnostics.js";
import { fc } from "../harness/property.js";
import { hostileText } from "./hostile-text.js";

/** A problem with all that a problem can have. */
export const unknownReference: Diagnostic = {
  code: "reference-unknown",
  severity: "error",
  message: "`policy:strikt` is no document of this workspace",
  hint: "did you mean `policy:strict`?",
  address: "agent:support",
  file: "agents/support.yaml",
  line: 14,
  column: 22,
  end_line: 14,
  end_column: 38,
  related: [
    { message: "a document of that name stood here", file: "policies/strict.yaml", line: 4, column: 9 },
    { message: "nowhere in particular" },
  ],
};

/** A problem of the workspace as a whole. */
export const placeless: Diagnostic = {
  code: "move-done",
  severity: "note",
  message: "it is done",
  address: "agent:a",
};

const place = {
  file: hostileText,
  line: fc.integer({ min: 1, max: 99 }),
  column: fc.integer({ min: 1, max: 99 }),
};

/** Problems whose every text is hostile. */
export const hostileDiagnostics: fc.Arbitrary<Diagnostic[]> = fc.array(
  fc.record(
    {
      code: hostileText,
      severity: fc.constantFrom("error", "warning", "note"),
      message: fc.oneof(hostileText, fc.constantFrom("::error::x", "%0A::error::x", "a,b:c")),
      hint: hostileText,
      address: hostileText,
      ...place,
      related: fc.array(fc.record({ message: hostileText, ...place }), { maxLength: 2 }),
    },
    { requiredKeys: ["code", "severity", "message"] },
  ),
  { maxLength: 15 },
);
