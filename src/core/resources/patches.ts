import { addTo } from "../../json/groups.js";
import { Said, say } from "../finding/said.js";
import { hash } from "../../digest.js";
import { inEnvironment, listingHint, type AbsentDocument } from "./absence.js";
import { refused, type Checked } from "../finding/checked.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { parseDocuments, type Document, type ParsedDocuments } from "../document/document.js";
import { readEnvelope } from "./envelope.js";
import { isObject } from "../../json/json.js";
import { placeOf, type Layer } from "./layer.js";
import { addressIn } from "../kind/kinds.js";
import type { LostDocuments } from "./lost-documents.js";
import { mentionsEach } from "../expression/parameter.js";
import { nameIn, nearAmong } from "../kind/near-address.js";

/** Parses the files of an environment's patches. */
export function parsePatches(sources: Iterable<{ readonly file: string; readonly text: string }>): Patches {
  const patches = new Patches();
  for (const { file, text } of sources) patches.add(parseDocuments(file, text));
  return patches;
}

/** The patches of an environment. */
export class Patches {
  readonly findings: Finding[] = [];
  /** The texts of patches that could not be parsed. */
  readonly broken: string[] = [];
  readonly #byAddress = new Map<string, Layer[]>();

  add({ value, findings, broken }: ParsedDocuments): void {
    this.findings.push(...findings);
    this.broken.push(...broken);
    for (const document of value) this.#add(document);
  }

  #add(document: Document): void {
    const target = readTarget(document);
    if (target.ok) addTo(this.#byAddress, target.address, { ...document, type: "patch" });
    else this.findings.push(...target.problems);
  }

  get isEmpty(): boolean {
    return this.#byAddress.size === 0;
  }

  /** Gives the patches of a document, in the order of their files. */
  of(document: Document): readonly Layer[] {
    const address = this.isEmpty ? undefined : addressIn(document.value);
    return (address !== undefined && this.#byAddress.get(address)) || [];
  }

  /** Gives the digest of a document's patches; undefined if it has none. */
  digestAt(address: string): string | undefined {
    const documents = this.#byAddress.get(address);
    return documents && hash(JSON.stringify(documents));
  }

  /** Finds patches of missing documents. */
  explainRest(
    addresses: Iterable<string>,
    lost: LostDocuments,
    absent: ReadonlyMap<string, AbsentDocument>,
    environment: string | null,
  ): Finding[] {
    if (this.isEmpty) return [];
    const known = new Set(addresses);
    const rest = [...this.#byAddress].filter(([address]) => !known.has(address) && !lost.mayHold(address));
    const near = nearAmong(known);
    return rest.flatMap(([address, documents]) =>
      documents.map((document) => {
        const place = placeOf(document)(["metadata", "name"]);
        const there = absent.get(address);
        if (there) {
          const message = say`this patches ${{ address }}, which does not exist ${inEnvironment(environment)}`;
          return error("patch-without-target", place, message, listingHint(there, environment));
        }
        const hint = mentionsEach(address)
          ? "name one of the resources that `for_each` makes"
          : (meantName(near(address)) ?? "a patch can only change an existing document");
        return error(
          "patch-without-target",
          place,
          say`this patches ${{ address }}, which is not in the workspace`,
          hint,
        );
      }),
    );
  }
}

// A patch has the name of what it patches, its address has the kind, too.
function meantName(hint: Said | undefined): Said | undefined {
  const fixes = hint?.fixes.map((fix) => ({
    ...fix,
    from: nameIn(fix.from ?? ""),
    to: nameIn(fix.to ?? ""),
  }));
  return hint && new Said(hint.text, hint.parts, fixes);
}

function readTarget(document: Document): Checked<{ readonly address: string }> {
  const place = placeOf(document);
  if (!isObject(document.value)) {
    const hint = "a patch has apiVersion, kind, metadata.name and the fields to change";
    return refused([error("document-shape", place([]), "a patch must be a mapping", hint)]);
  }
  const envelope = readEnvelope(document.value, place);
  if (!envelope.ok) return envelope;
  if (document.value.for_each !== undefined) {
    const at = { ...place(["for_each"]), key: true };
    const hint = "patch each resource by its own name, or change the `for_each` of the document";
    return refused([
      error("for-each-invalid", at, "a patch changes one resource and cannot have `for_each`", hint),
    ]);
  }
  const address = addressIn(document.value);
  if (address !== undefined) return { ok: true, address };
  const hint = "name the document that it patches";
  return refused([error("document-missing-field", place(["metadata"]), "`metadata.name` is missing", hint)]);
}
