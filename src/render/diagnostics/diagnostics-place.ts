import { contentDigest } from "../../digest.js";
import { posix } from "node:path";
import { manifestFile } from "../../core/resources/manifest-file.js";
import type { Diagnostic } from "../../generated/diagnostics.js";

/** What the formats for code hosts need to know of the workspace. */
export interface DiagnosticsPlace {
  /** The workspace's folder as seen from the root of the repository, empty or with `/` at the end. */
  readonly folder: string;
}

/** Gives the file of a problem as seen from the repository's root; the manifest where it has no file. */
export function fileInRepository(file: string | undefined, { folder }: DiagnosticsPlace): string {
  return posix.normalize(`${folder}${file ?? manifestFile}`);
}

/** Gives each a unique fingerprint, 64 hexadecimal digits, that stays when lines move; equal ones by order. */
export function fingerprintsOf(diagnostics: readonly Diagnostic[], place: DiagnosticsPlace): string[] {
  const counts = new Map<string, number>();
  return diagnostics.map(({ code, file, address, message }) => {
    const identity = JSON.stringify([code, fileInRepository(file, place), address ?? null, message]);
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    return contentDigest(`${count} ${identity}`);
  });
}
