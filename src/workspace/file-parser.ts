import { contentDigest, hash } from "../digest.js";
import { Budget } from "../json/budget.js";
import { parseFile, type ParseContext } from "../core/resources/parse-file.js";
import {
  existsAlike,
  isSound,
  labelledIn,
  type FileSummary,
  type Inputs,
  type ParsedFile,
  type ResourceDetails,
} from "../core/resources/parsed-file.js";
import { canonical, equal } from "../json/json.js";
import { once } from "../json/once.js";
import { Defaults } from "../core/resources/defaults.js";
import type { Settings } from "../core/resources/manifest.js";
import { parsePatches } from "../core/resources/patches.js";
import { workspaceExpansion } from "../core/expression/expansion-limit.js";
import type { SourceFile } from "../core/resources/fleet.js";
import { decode } from "./regular-file.js";
import { IncludedFiles } from "./included-files.js";
import type { FileRead } from "../core/expression/included-data.js";
import type { WorkspaceFolder } from "./workspace-folder.js";

/** The settings for parsing the files of one workspace in one environment, as plain data. */
export interface ParserSettings extends Pick<
  Settings,
  "variables" | "environment" | "kindFields" | "defaults"
> {
  readonly patches: readonly SourceFile[];
}

/** A file is not the one any more that a plan was begun with. */
class ChangedMeanwhileError extends Error {
  override readonly name = "ChangedMeanwhileError";
}

/** Reads and parses the files of one workspace, each by itself. */
export class FileParser {
  readonly context: ParseContext;
  readonly #includes: IncludedFiles;
  readonly #variable = once((name) => hash(canonical(this.context.variables.get(name) ?? null)));

  constructor(
    private readonly folder: WorkspaceFolder,
    { variables, environment, kindFields, defaults, patches }: ParserSettings,
  ) {
    this.#includes = new IncludedFiles(folder);
    const includes = this.#includes;
    this.context = {
      variables,
      environment,
      kindFields,
      defaults: new Defaults(defaults),
      patches: parsePatches(patches),
      includes,
      data: new Map(),
      budget: new Budget(workspaceExpansion),
    };
  }

  /** Parses the content of a file; with its digest it also says what it depends on. */
  parse(
    file: string,
    bytes: Uint8Array,
    digest: string | undefined,
  ): FileRead<{ readonly parsed: ParsedFile }> {
    const decoded = decode(file, bytes);
    if (!decoded.ok) return decoded;
    const parsed = parseFile(file, decoded.text, this.context);
    if (digest === undefined) return { ok: true, parsed };
    const { summary, details } = parsed;
    // What is added to a copy comes first: behind it, each object would have a hidden class of its own.
    const inputs = this.#inputsOf(summary, digest);
    return { ok: true, parsed: { summary: { inputs, ...summary }, details } };
  }

  /** Parses a file again for more than its summary; with the bytes that were read, if anybody kept them. */
  parseAgain(summary: FileSummary, bytes = this.#readAgain(summary)): readonly ResourceDetails[] {
    const { file, resources } = summary;
    const decoded = bytes && decode(file, bytes);
    // What it includes has counted the first time, and what is wrong with it was found.
    const isChecked = isSound(summary);
    const context = { isChecked, ...this.context, budget: new Budget(workspaceExpansion) };
    const details = decoded?.ok ? parseFile(file, decoded.text, context).details() : [];
    if (details.length === resources.length) return details;
    throw new ChangedMeanwhileError(`${file} was changed while it was read: run it again`);
  }

  /** Whether all inputs of a file, but for its content, are as they were. */
  hasSameInputs(summary: FileSummary): boolean {
    const { resources, inputs } = summary;
    const { variables = {}, included = {}, patches, defaults } = inputs ?? {};
    return (
      existsAlike(summary, this.context.environment) &&
      Object.entries(variables).every(([name, digest]) => this.#variable(name) === digest) &&
      Object.entries(included).every(
        ([file, digest]) =>
          this.#includes.digest(file) === digest && !this.#includes.refuseUncommitted(summary.file, file),
      ) &&
      (this.context.patches.isEmpty
        ? patches === undefined
        : resources.every(({ address }) => this.#patch(address) === patches?.[address])) &&
      equal(this.#defaults(summary) ?? null, defaults ?? null)
    );
  }

  #readAgain({ file, inputs }: FileSummary): Uint8Array | undefined {
    const read = this.folder.readBytes(file);
    return read.ok && contentDigest(read.bytes) === inputs?.content ? read.bytes : undefined;
  }

  #inputsOf(summary: FileSummary, content: string): Inputs {
    const { variables = [], included = [], resources } = summary;
    const addresses = resources.map(({ address }) => address);
    const defaults = this.#defaults(summary);
    return {
      content,
      ...digests("variables", variables, (name) => this.#variable(name)),
      ...digests("included", included, (file) => this.#includes.digest(file)),
      ...digests("patches", addresses, (address) => this.#patch(address)),
      ...(defaults && { defaults }),
    };
  }

  #defaults(summary: FileSummary): (string | null)[] | undefined {
    const { defaults } = this.context;
    if (defaults.isEmpty) return undefined;
    const all = labelledIn(summary).map((labelled) => defaults.digestOf(labelled) ?? null);
    return all.some((digest) => digest !== null) ? all : undefined;
  }

  #patch(address: string): string | undefined {
    return this.context.patches.digestAt(address);
  }
}

function digests(
  member: Exclude<keyof Inputs, "content" | "defaults">,
  names: readonly string[],
  digestOf: (name: string) => string | undefined,
): Partial<Inputs> {
  const pairs = names.flatMap((name) => {
    const digest = digestOf(name);
    return digest === undefined ? [] : [[name, digest] as const];
  });
  return pairs.length > 0 ? { [member]: Object.fromEntries(pairs) } : {};
}
