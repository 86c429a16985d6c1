import { workspaceExpansion } from "../../src/core/expression/expansion-limit.js";
import type { Includes } from "../../src/core/expression/included-data.js";
import { Defaults } from "../../src/core/resources/defaults.js";
import { assembleFleet, type Fleet, type SourceFile } from "../../src/core/resources/fleet.js";
import type { Settings } from "../../src/core/resources/manifest.js";
import { parseFile } from "../../src/core/resources/parse-file.js";
import { parsePatches } from "../../src/core/resources/patches.js";
import { Budget } from "../../src/json/budget.js";

/** The text of a file with documents, or with patches of them for one environment. */
export interface FleetSource extends SourceFile {
  readonly isPatch?: boolean;
}

/**
 * Builds a fleet from the texts of its files; documents with errors are left out, but not their findings. Files may be
 * parsed by who knows some of them already.
 */
export function buildFleet(
  settings: Settings,
  sources: Iterable<FleetSource>,
  includes: Includes,
  parse = parseFile,
): Fleet {
  const [patchTexts, texts] = [[], []] as [FleetSource[], FleetSource[]];
  for (const source of sources) (source.isPatch ? patchTexts : texts).push(source);
  const patches = parsePatches(patchTexts);
  const context = {
    ...settings,
    defaults: new Defaults(settings.defaults),
    patches,
    includes,
    data: new Map(),
    budget: new Budget(workspaceExpansion),
  };
  const files = texts.map(({ file, text }) => parse(file, text, context));
  return assembleFleet(settings, files, patches, { files: [], folders: false }, [], new Map());
}
