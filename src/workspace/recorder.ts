import { Budget } from "../json/budget.js";
import {
  recordFile,
  type FileHead,
  type FreshRecord,
  type RecordContext,
} from "../core/resources/file-record.js";
import { canonical, type Hash } from "../json/json.js";
import type { Settings } from "../core/resources/manifest.js";
import { parsePatches } from "../core/resources/patches.js";
import { workspaceExpansion } from "../core/expression/substitution.js";
import type { SourceFile } from "../core/resources/workspace.js";
import { contentDigest } from "../digest.js";
import { IncludedFiles } from "./included-files.js";
import type { ReadProblem } from "./read-problem.js";
import { decode, type WorkspaceFolder } from "./read-text.js";

/** What one workspace is recorded with in one environment, as data that a thread can be handed. */
export interface RecorderSettings extends Pick<Settings, "variables" | "extraFields"> {
  readonly patches: readonly SourceFile[];
}

/** The bytes of a file, and their digest. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** A record with the digest of the content that it was made of, and of all else that it rests on. */
export interface Recorded {
  readonly digest: string;
  readonly record: FreshRecord;
  readonly rests: Rests;
}

/** Digests of the variables, included files and patches that a record was made with, by name, file and address. */
export interface Rests {
  readonly variables?: Readonly<Record<string, string>>;
  readonly included?: Readonly<Record<string, string>>;
  readonly patches?: Readonly<Record<string, string>>;
}

/** Reads and records the files of one workspace, each by itself. */
export class Recorder {
  readonly context: RecordContext;
  readonly #includes: IncludedFiles;
  readonly #variables = new Map<string, string>();

  constructor(
    private readonly folder: WorkspaceFolder,
    { variables, extraFields, patches }: RecorderSettings,
    hash: Hash,
  ) {
    this.#includes = new IncludedFiles(folder);
    const includes = this.#includes;
    this.context = {
      variables,
      extraFields,
      patches: parsePatches(patches),
      includes,
      data: new Map(),
      budget: new Budget(workspaceExpansion),
      hash,
    };
  }

  /** Reads a file's bytes. */
  read(file: string): FileContent | ReadProblem {
    const read = this.folder.readBytes(file);
    return "bytes" in read ? { ...read, digest: contentDigest(read.bytes) } : read;
  }

  /** Records what a file's content gives. */
  record(file: string, { bytes, digest }: FileContent): Recorded | ReadProblem {
    const decoded = decode(file, bytes);
    if (!("text" in decoded)) return decoded;
    const record = recordFile(file, decoded.text, this.context);
    return { digest, record, rests: this.#restsOf(record) };
  }

  /** Whether all that a record rests on is as it was. */
  isSame({ resources }: FileHead, { variables = {}, included = {}, patches }: Rests): boolean {
    return (
      Object.entries(variables).every(([name, digest]) => this.#variable(name) === digest) &&
      Object.entries(included).every(([file, digest]) => this.#includes.digest(file) === digest) &&
      (this.context.patches.isEmpty
        ? patches === undefined
        : resources.every(({ address }) => this.#patch(address) === patches?.[address]))
    );
  }

  #restsOf({ head: { variables = [], included = [], resources } }: FreshRecord): Rests {
    return {
      ...digests("variables", variables, (name) => this.#variable(name)),
      ...digests("included", included, (file) => this.#includes.digest(file)),
      ...digests(
        "patches",
        resources.map(({ address }) => address),
        (address) => this.#patch(address),
      ),
    };
  }

  #variable(name: string): string {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const digest = this.context.hash(canonical(this.context.variables.get(name) ?? null));
    this.#variables.set(name, digest);
    return digest;
  }

  #patch(address: string): string | undefined {
    return this.context.patches.digestAt(address, this.context.hash);
  }
}

function digests(
  member: keyof Rests,
  names: readonly string[],
  digestOf: (name: string) => string | undefined,
): Rests {
  const pairs = names.flatMap((name) => {
    const digest = digestOf(name);
    return digest === undefined ? [] : [[name, digest] as const];
  });
  return pairs.length > 0 ? { [member]: Object.fromEntries(pairs) } : {};
}
