import { kindOfAddress } from "../../src/core/kind/kinds.js";
import { fc } from "../harness/property.js";
import type { JsonObject } from "../../src/json/json.js";
import { buildSettings, parseManifest, type Settings } from "../../src/core/resources/manifest.js";
import { buildFleet, type FleetSource } from "../harness/build-fleet.js";
import type { Fleet } from "../../src/core/resources/fleet.js";
import { manifest } from "../harness/disk-workspace.js";

/** One document of a generated workspace. */
export interface Piece {
  readonly address: string;
  readonly document: JsonObject;
  readonly file: string;
}

/** Every address that a generated workspace may have. */
export const addresses: readonly string[] = [
  "policy:p0",
  "policy:p1",
  "policy:p2",
  "toolset:t0",
  "toolset:t1",
  "credential:c0",
  "credential:c1",
  "agent:a0",
  "agent:a1",
  "agent:a2",
  "agent:a3",
];

interface Choice {
  readonly isThere: boolean;
  readonly variant: number;
  /** Chooses what is referred to among what comes before in the order of the workspace. */
  readonly references: number;
  readonly isSingle: boolean;
  readonly protect: boolean;
  readonly adopt: boolean;
  readonly movedFrom: readonly string[];
  readonly file: number;
}

const choice = (address: string): fc.Arbitrary<Choice> =>
  fc.record({
    isThere: fc.integer({ min: 0, max: 9 }).map((number) => number < 7),
    variant: fc.nat(3),
    references: fc.nat(2 ** addresses.length - 1),
    isSingle: fc.boolean(),
    protect: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
    adopt: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    movedFrom: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray(sameKind(address)).map((all) => all.slice(0, 2)) },
    ),
    file: fc.nat(3),
  });

/** The documents of a workspace whose references go round in no circle. */
export const pieces: fc.Arbitrary<Piece[]> = fc
  .tuple(
    fc.shuffledSubarray([...addresses], { minLength: addresses.length }),
    fc.tuple(...addresses.map(choice)),
  )
  .map(([order, choices]) => {
    const byAddress = new Map(addresses.map((address, index) => [address, choices[index]]));
    const made: Piece[] = [];
    for (const address of order) {
      const chosen = byAddress.get(address);
      if (chosen?.isThere) made.push(makePiece(address, chosen, made));
    }
    return made;
  });

function sameKind(address: string): string[] {
  return addresses.filter((other) => other !== address && kindOf(other) === kindOf(address));
}

function kindOf(address: string): string {
  return address.slice(0, address.indexOf(":"));
}

function makePiece(address: string, chosen: Choice, before: readonly Piece[]): Piece {
  const targets = before.filter((_, index) => ((chosen.references >> index) & 1) === 1).slice(0, 3);
  const references = targets.map(({ address: target }) => {
    const isTool = kindOf(target) === "toolset" && chosen.isSingle;
    return `\${${target}${isTool ? "/read" : ""}}`;
  });
  const lifecycle: JsonObject = {
    ...(chosen.protect && { protect: true }),
    ...(chosen.adopt && { adopt: adoptionFor(address) }),
    ...(chosen.movedFrom.length > 0 && { moved_from: [...chosen.movedFrom] }),
  };
  return {
    address,
    file: `agents/file-${chosen.file}.yaml`,
    document: {
      apiVersion: "agentform/v1",
      kind: kindOfAddress(address)?.document ?? "",
      metadata: { name: address.slice(address.indexOf(":") + 1) },
      spec: specOf(address, chosen.variant, references),
      ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
    },
  };
}

/** Makes one document with a given spec. */
export function pieceOf(
  address: string,
  spec: JsonObject,
  { lifecycle, labels }: { readonly lifecycle?: JsonObject; readonly labels?: JsonObject } = {},
): Piece {
  const name = address.slice(address.indexOf(":") + 1);
  return {
    address,
    file: `agents/${name}.yaml`,
    document: {
      apiVersion: "agentform/v1",
      kind: kindOfAddress(address)?.document ?? "",
      metadata: { name, ...(labels && { labels }) },
      spec,
      ...(lifecycle && { lifecycle }),
    },
  };
}

function adoptionFor(address: string): string | string[] {
  return kindOf(address) === "toolset" ? [`read=adopted ${address}`] : `adopted ${address}`;
}

function specOf(address: string, variant: number, references: string[]): JsonObject {
  const name = `the ${address}`;
  switch (kindOf(address)) {
    case "policy":
      return {
        name,
        description: `variant ${variant}`,
        allowed_topics: { enabled: true, topics: references },
      };
    case "credential":
      return {
        name,
        credentials: { api_key: `\${env:KEY@${variant}}` },
        meta_data: { references },
      };
    case "toolset":
      return {
        tool_set_name: name,
        openapi_schema: openapi(variant > 2),
        default_headers: { Authorization: "${env:TOKEN}", "X-Variant": String(variant) },
        default_body_params: { references },
        ...(variant === 1 && { default_query_params: { lang: "en" } }),
      };
    default:
      return {
        name,
        // Whole sets alone: a set of one tool and its tool have the same ID, which a check of saved plans does not see.
        tools: [...new Set(references.filter(isTool).map((each) => each.replace(/\/.*\}/, "}")))],
        examples: references.filter((each) => !isTool(each)),
        temperature: variant,
        ...(variant > 0 && { system_prompt: `Line ${variant}.\n${references.filter(isSingle).join(" ")}\n` }),
      };
  }
}

function isTool(reference: string): boolean {
  return reference.startsWith("${toolset:");
}

function isSingle(reference: string): boolean {
  return !reference.startsWith("${toolset:") || reference.includes("/");
}

function openapi(isLarger: boolean): JsonObject {
  return {
    openapi: "3.1.0",
    paths: {
      "/things": {
        get: { operationId: "read", responses: {} },
        ...(isLarger && { post: { operationId: "write", responses: {} } }),
      },
    },
  };
}

/** The settings of generated workspaces. */
function settings(): Settings {
  const parsed = parseManifest(manifest);
  if (!parsed.ok) throw new Error("the manifest is no manifest");
  const built = buildSettings(parsed, null, new Map());
  if (!built.ok) throw new Error("the manifest has no settings");
  return built.settings;
}

/** Builds the workspace of some documents, in the files and the order that they are given in. */
export function workspaceOf(made: readonly Piece[]): Fleet {
  const texts = new Map<string, string[]>();
  for (const { file, document } of made) {
    texts.set(file, [...(texts.get(file) ?? []), JSON.stringify(document)]);
  }
  const sources: FleetSource[] = [...texts].map(([file, documents]) => ({
    file,
    text: documents.join("\n---\n"),
  }));
  const includes = {
    read: () => ({ ok: false, code: "file-missing", message: "there are no files" }) as const,
  };
  return buildFleet(settings(), sources, includes);
}
