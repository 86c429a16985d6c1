import { hasErrors, type Finding, type KeyPlace, type Place } from "../finding/diagnostic.js";
import { kindOfAddress } from "../kind/kinds.js";
import type { JsonObject } from "../../json/json.js";
import type { Literal } from "../schema/literal.js";
import type { Misplaced } from "../schema/typed-place.js";
import { existsIn, type AbsentDocument } from "./absence.js";
import type { OwnRule } from "../rules/own-rule.js";
import type { Labelled } from "./defaults.js";
import type { Layer } from "./layer.js";
import type { LostDocument } from "./lost-documents.js";
import type { ResourceLifecycle, PlacedReference, Resource, ResourceContent } from "./resource.js";

/** The parsed content of one file: a summary that is always needed and can be cached, and the rest. */
export interface ParsedFile {
  readonly summary: FileSummary;
  /** Gives for each resource what only changed ones need; the file may be parsed again for it. */
  details(): readonly ResourceDetails[];
  /** What was made of it already: an editor parses few files again from one check to the next. */
  resources?: readonly Resource[];
}

/** The digests of everything that a parsed file depends on. */
export interface Inputs {
  /** Of the file's bytes. */
  readonly content: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** By file. */
  readonly included?: Readonly<Record<string, string>>;
  /** By address. */
  readonly patches?: Readonly<Record<string, string>>;
  /** For each resource, and then each absent document. */
  readonly defaults?: (string | null)[];
}

/** The part of a file that is always needed; empty members are undefined. */
export interface FileSummary {
  readonly file: string;
  /** Set where the file is kept for later runs. */
  readonly inputs?: Inputs;
  readonly resources: readonly ResourceSummary[];
  readonly rules?: readonly OwnRule[] | undefined;
  readonly findings?: readonly Finding[] | undefined;
  /** The kinds, names and references of documents with errors. */
  readonly lost?: readonly LostDocument[] | undefined;
  /** The documents that do not exist in this environment. */
  readonly absent?: readonly AbsentDocument[] | undefined;
  readonly dangling?: readonly PlacedReference[] | undefined;
  /** Texts that may have been meant as references. */
  readonly literals?: readonly Literal[] | undefined;
  /** What is no reference where one belongs. */
  readonly misplaced?: readonly Misplaced[] | undefined;
  /** The texts of documents that could not be parsed. */
  readonly broken?: readonly string[] | undefined;
  /** The names of the variables that it uses. */
  readonly variables?: readonly string[] | undefined;
  /** Variables without a value, with the places that need one. */
  readonly missing?: readonly (readonly [name: string, places: readonly Place[]])[] | undefined;
  /** The files included by its documents. */
  readonly included?: readonly string[] | undefined;
  /** The size of its expanded documents, which counts towards the workspace's limit. */
  readonly expanded?: number | undefined;
  /** Whether an included file could not be read. */
  readonly isPartial?: true | undefined;
}

/** The part of a resource that is always needed. */
export interface ResourceSummary {
  readonly address: string;
  readonly digest: string;
  /** Which document of the file, from 0. */
  readonly index: number;
  readonly references?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The labels without those of patches, if these differ. */
  readonly ownLabels?: JsonObject | undefined;
  readonly hasNull?: boolean | undefined;
  readonly lifecycle?: ResourceLifecycle | undefined;
  /** Its other files: patches and included files. */
  readonly files?: readonly string[] | undefined;
}

/** The part of a resource that is needed for messages and requests. */
export type ResourceDetails = Pick<
  ResourceContent,
  "body" | "documents" | "leftOut" | "references" | "secrets"
> & {
  /** The outlines of its layers, if it has defaults or patches. */
  readonly layers?: readonly Layer[];
  /** The key of `for_each` for which it was made. */
  readonly each?: KeyPlace;
};

/** Whether a file has no errors, so that its summary is complete. */
export function isSound({ findings, lost, broken, missing, isPartial }: FileSummary): boolean {
  return !isPartial && !lost && !broken && !missing && !hasErrors(findings ?? []);
}

/** Whether the same documents of a file exist in an environment as in the one for which it was parsed. */
export function existsAlike({ resources, absent = [] }: FileSummary, environment: string | null): boolean {
  return (
    resources.every(({ lifecycle }) => existsIn(lifecycle?.environments, environment)) &&
    absent.every(({ environments }) => !existsIn(environments, environment))
  );
}

/** Gives the kind and the labels of all documents of a file by which defaults select them. */
export function labelledIn({ resources, absent = [] }: FileSummary): Labelled[] {
  return [...resources.map(labelledResource), ...absent];
}

function labelledResource({
  address,
  labels = noLabels,
  ownLabels = labels,
  hasNull,
}: ResourceSummary): Labelled {
  return { kind: kindOfAddress(address).name, labels: ownLabels, ...(hasNull && { hasNull }) };
}

const noLabels = {};
