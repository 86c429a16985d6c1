import type { Diagnostic } from "../finding/diagnostic.js";
import { manifestFile } from "./manifest-file.js";

/** Names the files of diagnostics from the top of the repository; what has no file is of the manifest. */
export function inFolder(diagnostics: readonly Diagnostic[], folder: string): Diagnostic[] {
  const named = (file: string) => (folder === "." ? file : `${folder}/${file}`);
  return diagnostics.map(({ file = manifestFile, related, ...rest }) => ({
    ...rest,
    file: named(file),
    ...(related && {
      related: related.map((each) => (each.file === undefined ? each : { ...each, file: named(each.file) })),
    }),
  }));
}
