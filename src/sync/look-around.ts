import { choiceIn } from "./state-access.js";
import { readBegun } from "./begun-import.js";
import type { Checked } from "../core/finding/checked.js";
import type { Finding } from "../core/finding/diagnostic.js";
import type { Importing } from "../core/import/importing.js";
import type { Fleet } from "../core/resources/fleet.js";
import type { Lock } from "../core/state/lock.js";
import type { JsonObject } from "../json/json.js";
import { readListings, type ListingRequest } from "./import-listings.js";
import { managedElsewhere } from "./other-environments.js";
import { readState, type ReadState } from "./read-state.js";
import type { PlanRequest } from "./request.js";
import { isThere } from "../workspace/new-files.js";
import { IncludedFiles } from "../workspace/included-files.js";
import type { WorkspaceFolder } from "../workspace/workspace-folder.js";

/** Where an import writes its documents, and how. */
export interface ImportTarget {
  /** The folder for the documents, relative to the workspace, with `/`; empty for the workspace itself. */
  readonly into: string;
  /** The file for all documents, in that folder; one for each unless given. */
  readonly file?: string;
  /** Renders a document as the text of its file. */
  readonly render: (document: JsonObject) => string;
}

/** A workspace that documents can be added to. */
interface OpenWorkspaceFolder {
  readonly fleet: Fleet;
  readonly folder: WorkspaceFolder;
}

/** What was found in the service and elsewhere, and is not asked again. */
export type ImportReading = Pick<Importing, "listings" | "elsewhere" | "begun">;

/** What is known before anything is decided. */
interface SeenService extends Pick<ReadState, "state" | "lockLength"> {
  readonly read: ImportReading;
  /** On the kinds that the service cannot be asked about. */
  readonly notes: readonly Finding[];
}

/** Reads the state, the service, and what the other environments have. */
export async function lookAround(
  fleet: Fleet,
  request: PlanRequest & ListingRequest,
): Promise<Checked<SeenService>> {
  const { settings } = fleet;
  const known = await readState(fleet, request, { isNewest: true });
  if (!known.ok) return known;
  const { state, lockLength } = known;
  const listed = await readListings(fleet, state.lock, request);
  if (!listed.ok) return listed;
  const elsewhere = await managedElsewhere(settings, request);
  if (!elsewhere.ok) return elsewhere;
  const read = { listings: listed.kinds, elsewhere, begun: readBegun(request) };
  return { ok: true, state, lockLength, read, notes: listed.notes };
}

/** Gives what the names of new files begin with. */
export function prefixOf({ into }: Pick<ImportTarget, "into">): string {
  return into === "" ? "" : `${into}/`;
}

// No file that exists is changed.
function freeName(file: string, isFile: (file: string) => boolean): string {
  const [, stem = file, suffix = ""] = /^(.*)(\.ya?ml)$/i.exec(file) ?? [];
  for (let number = 1; ; number++) {
    const name = number === 1 ? file : `${stem}-${number}${suffix}`;
    if (!isFile(name)) return name;
  }
}

/** Gives what an import is made of. */
export function importingOf(
  { fleet, folder }: OpenWorkspaceFolder,
  lock: Lock,
  read: ImportReading,
  request: PlanRequest & ListingRequest & ImportTarget,
): Importing {
  const { settings } = fleet;
  const isFile = (file: string) => isThere(folder, file);
  const planned = new Map<string, string>();
  return {
    ...read,
    fleet,
    lock,
    choice: choiceIn(settings, request),
    settings,
    kindFields: settings.kindFields,
    fieldNames: settings.service.field_names ?? {},
    ...(request.wanted && { wanted: new Set(request.wanted.map(({ kind, id }) => `${kind}:${id}`)) }),
    isFile,
    importFolder: {
      into: prefixOf(request),
      ...(request.file !== undefined && { file: freeName(request.file, isFile) }),
      place(name, stem, suffix, text) {
        for (let number = 1; ; number++) {
          const file = `${prefixOf(request)}${name}/${stem}${number === 1 ? "" : `-${number}`}${suffix}`;
          if (planned.has(file)) continue;
          const read = isFile(file) ? folder.read(file) : undefined;
          if (read && !(read.ok && read.text === text)) continue;
          planned.set(file, text);
          return { file, isNew: !read };
        }
      },
    },
    includes: new IncludedFiles(folder),
    render: request.render,
  };
}
