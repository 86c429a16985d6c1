import type { Diagnostic } from "../../src/core/finding/diagnostic.js";
import type { WorkspaceOptions } from "../../src/sync/request.js";
import { readEach, together } from "../../src/sync/validate.js";

/** Finds what `validate` finds in a workspace without rules, at once. */
export function validate(options: WorkspaceOptions): readonly Diagnostic[] {
  const found = Array.from(readEach(options), ({ loaded, diagnostics }) => {
    if (loaded.fleet && loaded.fleet.settings.rules.length > 0) throw new Error("rules are not judged here");
    return diagnostics;
  });
  return together(found, options);
}
