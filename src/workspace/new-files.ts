import { linkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDurably, draftOf, syncFolder } from "../disk/durable-file.js";
import { errorCode } from "../disk/error-code.js";
import { makeFolder } from "../disk/make-folder.js";
import { LinkError, lookAt, refuseLinks } from "../disk/refuse-links.js";
import { manifestFile } from "../core/resources/manifest-file.js";
import type { Settings } from "../core/resources/manifest.js";
import { error, type Finding } from "../core/finding/diagnostic.js";
import { bare, say, type Sentence } from "../core/finding/said.js";
import { isLeftOut, patchFolder } from "./document-name.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** Where new documents go, relative to the workspace, with `/`. */
export interface NewDocuments {
  /** The folder, or the file, that they are in. */
  readonly name: string;
  readonly isFile: boolean;
  /** What the manifest would have to include if it does not. */
  readonly toInclude: string;
}

/** Says why documents at a place could not be written or would not be read; undefined if they would. */
export function checkDocumentPlace(
  folder: WorkspaceFolder,
  { include, environments }: Settings,
  { name, isFile, toInclude }: NewDocuments,
): Finding | undefined {
  const wrong = (message: Sentence, hint: Sentence) => error("import-unwritten", undefined, message, hint);
  const resolved = folder.resolve(manifestFile, join(name, "document.yaml"));
  if (!resolved.ok) return error(resolved.code, undefined, resolved.message, resolved.hint);
  const isHidden = name.split("/").some(isLeftOut);
  const isPatched = environments.some((each) => `${name}/`.startsWith(`${patchFolder(each)}/`));
  if (isHidden || isPatched)
    return wrong(say`documents in ${{ file: name }} are not read`, "choose a different folder");
  const isRead = include.some((each) => {
    const target = folder.resolve(manifestFile, each);
    return target.ok && (target.file === "" || `${name}/`.startsWith(`${target.file}/`));
  });
  if (!isRead) {
    const hint = say`add ${{ meant: toInclude }} to \`spec.include\` of agentform.yaml`;
    return wrong(
      say`\`spec.include\` does not name ${{ file: name }}, so documents there are not read`,
      hint,
    );
  }
  if (isFile && lookAt(join(folder.root, name))?.isDirectory() === true)
    return wrong(say`${{ file: name }} is a folder`, "choose a different name for the file");
  return undefined;
}

/** Says why a new file could not be written where it is to be; nothing if it could: folders are made. */
export function checkNewFile(folder: WorkspaceFolder, file: string): Finding[] {
  const segments = file.split("/").slice(0, -1);
  for (const at of segments.keys()) {
    const name = segments.slice(0, at + 1).join("/");
    const found = lookAt(join(folder.root, name));
    if (!found || found.isDirectory()) continue;
    const why = found.isSymbolicLink()
      ? say`${{ source: name }} is a symbolic link, behind which nothing is written`
      : say`${{ source: name }} is a file`;
    const hint = "choose a different place with `--into`, or bring that out of the way";
    return [error("import-unwritten", undefined, say`${{ file }} cannot be written: ${why}`, hint)];
  }
  return [];
}

const mostDocuments = 10_000;
const mostBytes = 32_000_000;

/** Says that a file of documents could not be read again; nothing if it could. */
export function checkDocumentFile({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Finding[] {
  const documents = text.split(/^---$/m).length;
  if (documents <= mostDocuments && Buffer.byteLength(text) <= mostBytes) return [];
  const message = say`${{ file }} would be too large to be read: ${{ count: documents }} documents`;
  return [error("import-unwritten", undefined, message, "give `--into` a folder, for a file for each")];
}

/** Writes new files, each whole or not at all, in order, and follows no link; gives the problem that ended it. */
export function writeNewFiles(
  { root }: WorkspaceFolder,
  files: readonly { readonly file: string; readonly text: string }[],
): Finding | undefined {
  const changed = new Map<string, string>();
  let current = "";
  try {
    for (const { file, text } of files) {
      current = file;
      const target = join(root, file);
      refuseLinks(target, [root]);
      const [made] = makeFolder(dirname(target));
      writeNewFile(target, text);
      // Whoever may write in a folder may not be able to open the one above it, so that is left alone unless it changed.
      const top = made === undefined ? dirname(target) : dirname(made);
      for (let folder = dirname(target); ; folder = dirname(folder)) {
        changed.set(folder, file);
        if (folder === top) break;
      }
    }
    for (const [folder, file] of changed) {
      current = file;
      syncFolder(folder);
    }
    return undefined;
  } catch (cause) {
    const why = cause instanceof LinkError ? cause.message : errorCode(cause);
    const hint = "run the same import again when that is corrected: it takes over what is written";
    const message = say`${{ file: current }} cannot be written: ${bare({ reason: why })}`;
    return error("import-unwritten", undefined, message, hint);
  }
}

function writeNewFile(target: string, text: string): void {
  const draft = draftOf(target);
  try {
    createDurably(draft, text);
    // A link does not replace what has the name already.
    linkSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
