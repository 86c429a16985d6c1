import { inCode } from "../core/finding/quotation.js";
import { MarkupKind, type Hover } from "vscode-languageserver/node";
import { isObject, type Json } from "../json/json.js";
import type { Range } from "../core/position/range.js";
import type { Action } from "../generated/plan.js";
import { WrittenText } from "../core/position/written-text.js";
import { idsOf } from "../core/kind/identity.js";
import type { Identity } from "../core/kind/kind.js";
import { usedAddress, usedEntry } from "../core/resources/used.js";
import { kindOfDocument } from "../core/kind/kinds.js";
import { descriptionIn, loadSchema, partsAt } from "../core/schema/schema-parts.js";
import type { EditedWorkspace, EnvironmentPlan } from "./edited-workspace.js";
import { safeLine } from "../render/words/terminal-text.js";
import { nameAt, resourcesAt } from "./find-names.js";
import { isYaml, type NameMeaning } from "./occurrence.js";
import { rangeIn, type Spot } from "./spot.js";

/** Says what the name or the field at an offset of a file is. */
export async function hoverAt({ workspace, file, text, offset }: Spot): Promise<Hover | null> {
  const name = nameAt(workspace, file, offset);
  if (name) return hoverOver(text, name.whole, await describeName(workspace, name.meaning));
  return isYaml(file) ? await fieldAt(text, offset) : null;
}

function hoverOver(text: string, range: Range, markdown: string | undefined): Hover | null {
  if (markdown === undefined) return null;
  return { contents: { kind: MarkupKind.Markdown, value: markdown }, range: rangeIn(text, range) };
}

async function fieldAt(text: string, offset: number): Promise<Hover | null> {
  const written = new WrittenText(text);
  const spot = written.spotAt(offset);
  const head = written.heads().find(({ document }) => document === spot?.document);
  if (!spot?.isKey || head?.kind === undefined) return null;
  const schema = head.kind === "Workspace" ? "workspace" : kindOfDocument(head.kind)?.name;
  const markdown = schema && descriptionIn(partsAt(await loadSchema(schema), spot.path));
  return hoverOver(text, spot.range, markdown);
}

async function describeName(workspace: EditedWorkspace, meaning: NameMeaning): Promise<string | undefined> {
  const { scheme, name } = meaning;
  switch (scheme) {
    case "var":
      return describeVariable(workspace, name);
    case "file":
    case "template":
      return `The file ${code(name)}${workspace.texts().read(name) === undefined ? ", which cannot be read" : ""}.`;
    case "env":
      return `The environment variable ${code(name)}: a secret that only an apply reads.`;
    case "each":
      return name === "key" ? "The key of `for_each`." : `The parameter ${code(name)} of \`for_each\`.`;
    default:
      return await describeResource(workspace, meaning);
  }
}

function describeVariable(workspace: EditedWorkspace, name: string): string | undefined {
  const rows = workspace.fleets().flatMap(({ settings }) => {
    if (!settings.variables.has(name)) return [];
    const value = settings.variables.get(name);
    const shown = value === undefined ? "no value" : code(short(value));
    return [`- ${environmentName(settings.environment)}: ${shown}`];
  });
  return rows.length === 0 ? undefined : [`The variable ${code(name)}:`, "", ...rows].join("\n");
}

async function describeResource(
  workspace: EditedWorkspace,
  meaning: NameMeaning,
): Promise<string | undefined> {
  const [resource] = resourcesAt(workspace, meaning);
  if (!resource) return describeUsed(workspace, meaning);
  const { address, kind, file } = resource;
  const tool = meaning.operation === undefined ? "" : `The operation ${code(meaning.operation)} of `;
  const rows = (await workspace.plans()).flatMap((each) => describePlanned(address, each) ?? []);
  const title = `${tool}**${address}**, ${kind.noun[0]} in ${code(file)}`;
  return rows.length === 0 ? title : [title, "", ...rows].join("\n");
}

function describeUsed(workspace: EditedWorkspace, { scheme, name }: NameMeaning): string | undefined {
  const of = usedAddress(name);
  const rows = workspace.fleets().flatMap(({ settings, used }) => {
    const there = of && used.get(of.use);
    if (!there) return [];
    const entry = usedEntry(used, `${scheme}:${name}`);
    const said = entry ? idsText(entry) || "no ID that is known" : "not applied there";
    return [`- ${environmentName(settings.environment)}: ${said}, in ${code(there.source)}`];
  });
  if (rows.length === 0) return undefined;
  // It is as the document has it, for there may be none of that name.
  return [`**${code(`${scheme}:${of?.address}`)}** of ${code(of?.use ?? "")}:`, "", ...rows].join("\n");
}

function describePlanned(address: string, { environment, plan, lock }: EnvironmentPlan): string | undefined {
  if (!plan || !lock) return undefined;
  const entry = lock.resources[address];
  const action = plan.actions.find((each) => each.address === address)?.action;
  const ids = entry && idsText(entry);
  const applied = entry ? `${ids ? `${ids}; ` : ""}${lastSent(entry.body)}` : "not applied";
  const planned =
    action === undefined ? "a plan changes nothing" : `a plan would ${waiting[action] ?? `${action} it`}`;
  return `- ${environmentName(environment)}: ${applied}; ${planned}`;
}

function idsText(entry: Identity): string {
  const ids = idsOf(entry);
  return ids.length > 1 ? `${ids.length} IDs` : ids.map((id) => `ID ${code(id)}`).join("");
}

const waiting: { readonly [Key in Action["action"]]?: string } = {
  unknown: "wait: the outcome of its create is unknown",
  blocked: "leave it: it is blocked",
};

const shownFields = 4;

function lastSent(body: Json): string {
  const fields = isObject(body) ? Object.entries(body) : [];
  const plain = fields.filter(([, value]) => typeof value !== "object" || value === null);
  const shown = plain.slice(0, shownFields).map(([name, value]) => `${name} ${code(short(value))}`);
  return shown.length === 0
    ? "last sent"
    : `last sent ${shown.join(", ")}${fields.length > shown.length ? ", …" : ""}`;
}

function environmentName(environment: string | null): string {
  return environment === null ? "default" : code(environment);
}

const longest = 60;

function short(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

// A text in backticks ends at the same number of them, or at an empty line.
function code(given: string): string {
  return inCode(safeLine(given));
}
