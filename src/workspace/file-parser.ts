import { Budget } from "../json/budget.js";
import {
  labelledIn,
  parseFile,
  type FileSummary,
  type Inputs,
  type ParsedFile,
  type ParseContext,
  type ResourceSummary,
} from "../core/resources/parsed-file.js";
import { canonical, type Hash } from "../json/json.js";
import { Defaults } from "../core/resources/defaults.js";
import type { Settings } from "../core/resources/manifest.js";
import { parsePatches } from "../core/resources/patches.js";
import { workspaceExpansion } from "../core/expression/substitution.js";
import type { SourceFile } from "../core/resources/fleet.js";
import { contentDigest } from "../digest.js";
import { IncludedFiles } from "./included-files.js";
import type { ReadProblem } from "./read-problem.js";
import { decode, type WorkspaceFolder } from "./read-text.js";

/** The settings for parsing the files of one workspace in one environment, as data that can go to a thread. */
export interface ParserSettings extends Pick<Settings, "variables" | "extraFields" | "defaults"> {
  readonly patches: readonly SourceFile[];
}

/** The bytes of a file, and their digest. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** Reads and parses the files of one workspace, each by itself. */
export class FileParser {
  readonly context: ParseContext;
  readonly #includes: IncludedFiles;
  readonly #variables = new Map<string, string>();

  constructor(
    private readonly folder: WorkspaceFolder,
    { variables, extraFields, defaults, patches }: ParserSettings,
    hash: Hash,
  ) {
    this.#includes = new IncludedFiles(folder);
    const includes = this.#includes;
    this.context = {
      variables,
      extraFields,
      defaults: new Defaults(defaults),
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

  /** Parses the content of a file. */
  parse(file: string, { bytes, digest }: FileContent): ParsedFile | ReadProblem {
    const decoded = decode(file, bytes);
    if (!("text" in decoded)) return decoded;
    const { summary, texts } = parseFile(file, decoded.text, this.context);
    return { summary: { ...summary, inputs: this.#inputsOf(summary, digest) }, texts };
  }

  /** Whether all inputs of a file, but for its content, are as they were. */
  hasSameInputs({ resources, inputs }: FileSummary): boolean {
    const { variables = {}, included = {}, patches, defaults } = inputs ?? {};
    return (
      Object.entries(variables).every(([name, digest]) => this.#variable(name) === digest) &&
      Object.entries(included).every(([file, digest]) => this.#includes.digest(file) === digest) &&
      (this.context.patches.isEmpty
        ? patches === undefined
        : resources.every(({ address }) => this.#patch(address) === patches?.[address])) &&
      (this.context.defaults.isEmpty
        ? defaults === undefined
        : resources.every((resource) => this.#default(resource) === defaults?.[resource.address]))
    );
  }

  #inputsOf({ variables = [], included = [], resources }: FileSummary, content: string): Inputs {
    const byAddress = new Map(resources.map((resource) => [resource.address, resource]));
    const addresses = [...byAddress.keys()];
    return {
      content,
      ...digests("variables", variables, (name) => this.#variable(name)),
      ...digests("included", included, (file) => this.#includes.digest(file)),
      ...digests("patches", addresses, (address) => this.#patch(address)),
      ...digests("defaults", addresses, (address) => this.#default(byAddress.get(address))),
    };
  }

  #variable(name: string): string {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const digest = this.context.hash(canonical(this.context.variables.get(name) ?? null));
    this.#variables.set(name, digest);
    return digest;
  }

  #default(resource: ResourceSummary | undefined): string | undefined {
    const { defaults, hash } = this.context;
    return resource && !defaults.isEmpty ? defaults.digestOf(labelledIn(resource), hash) : undefined;
  }

  #patch(address: string): string | undefined {
    return this.context.patches.digestAt(address, this.context.hash);
  }
}

function digests(
  member: Exclude<keyof Inputs, "content">,
  names: readonly string[],
  digestOf: (name: string) => string | undefined,
): Partial<Inputs> {
  const pairs = names.flatMap((name) => {
    const digest = digestOf(name);
    return digest === undefined ? [] : [[name, digest] as const];
  });
  return pairs.length > 0 ? { [member]: Object.fromEntries(pairs) } : {};
}
