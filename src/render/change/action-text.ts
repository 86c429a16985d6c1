import type { Action } from "../../generated/plan.js";
import { adoptionForm } from "../../core/plan/adoption.js";
import { readable } from "../../core/expression/expression.js";
import { kindOfAddress } from "../../core/kind/kinds.js";
import type { ChangeStyle } from "./change-style.js";
import { indent, renderChange } from "./change-text.js";
import { countText, namesText } from "../words/count-text.js";
import type { Palette } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

/** What the lines of an action depend on beside the action. */
export interface ActionStyle {
  readonly palette: Palette;
  /** About how many columns a value may take. */
  readonly width: number;
  /** The plan's environment, for the commands that the lines offer. */
  readonly environment: string | null;
}

const symbols: Record<Action["action"], readonly [string, Exclude<keyof Palette, "word">]> = {
  unknown: ["?", "grave"],
  blocked: ["!", "grave"],
  replace: ["-/+", "grave"],
  forget: ["-", "removed"],
  adopt: [">", "added"],
  create: ["+", "added"],
  update: ["~", "changed"],
  record: ["=", "changed"],
};

const mostChanges = 200;

/** Renders one action of a plan: its address, why, what changes, and what follows from it. */
export function renderAction(action: Action, { palette, width, environment }: ActionStyle): string[] {
  const [symbol, role] = symbols[action.action];
  const file = action.file === undefined ? "" : `  ${palette.dim(safeLine(action.file))}`;
  const style: ChangeStyle = {
    palette,
    width,
    compact: action.action === "create",
    fateOf: fatesIn(action.reasons),
  };
  const shown = action.changes.slice(0, mostChanges);
  const left = action.changes.length - shown.length;
  return [
    `${palette[role](symbol)} ${safeLine(action.address)}${file}`,
    ...indent([
      ...action.reasons.map((reason) => `because ${safeLine(reason)}`),
      ...resolution(action, environment),
      ...shown.flatMap((change) => renderChange(change, style)),
      ...(left > 0 ? [`… ${countText(left, "more change")}`] : []),
      ...consequences(action),
    ]),
  ];
}

/** Makes of an action's reasons what says what happens to what a reference stands for. */
export function fatesIn(reasons: readonly string[]): (reference: string) => string {
  // By the address that a reason begins with, for an agent may have as many references as there are tool sets.
  const fates = new Map<string, string>();
  for (const reason of reasons) {
    const [address, fate] = reason.split(/ (.*)/s, 2);
    if (address !== undefined && fate !== undefined && !fates.has(address)) fates.set(address, fate);
  }
  return (reference) => fates.get(reference.split("/", 1)[0] ?? reference) ?? "gets a new ID";
}

/** Renders the commands that resolve an action whose outcome is unknown; nothing for the others. */
export function resolution(action: Action, environment: string | null): string[] {
  if (action.action !== "unknown") return [];
  const option = environment === null ? "" : ` -e ${environment}`;
  const command = `agentform lock resolve${option} ${action.address}`;
  const { address, body = {}, tools } = action;
  const form = adoptionForm(kindOfAddress(address) ?? {}, body, tools);
  return [
    ...sentAs(action),
    `if it was created: ${safeLine(command)} --adopt ${safeLine(form)}`,
    `if it was not: ${safeLine(command)} --not-created`,
  ];
}

// What a person looks for in the service; a tool set's stored name has a prefix (interface.md 2.2).
function sentAs({ body = {} }: Action): string[] {
  const field = Object.keys(body).find((key) => /(^|_)name$/.test(key));
  const name = field === undefined ? undefined : body[field];
  return typeof name === "string" ? [`it was sent with ${field}: ${safeLine(readable(name))}`] : [];
}

/** Renders what follows from an action: what it takes over, leaves behind and affects. */
export function consequences({
  action,
  requests = [],
  leaves = 0,
  ids = [],
  adopted,
  tools = {},
  affects,
  affects_more: isCut,
}: Action): string[] {
  const taken = ids.length > 0 ? ids : typeof adopted === "string" ? [adopted] : (adopted ?? []);
  const puts = action === "update" && ids.length === requests.length && Object.keys(tools).length > 0;
  return [
    ...(action === "adopt" && taken.length > 0 ? [`takes over ${idsText(taken)}`] : []),
    ...(puts ? [`PUT to ${countText(requests.length, "tool")}: ${toolNames(ids, tools)}`] : []),
    ...(leaves > 0
      ? [
          `leaves ${countText(leaves, "object")} behind in the service${inParentheses(action === "adopt" ? [] : ids)}`,
        ]
      : []),
    ...(affects.length > 0 ? [`affects ${safeLine(namesText(affects, isCut === true))}`] : []),
  ];
}

const toolsShown = 12;

function toolNames(ids: readonly string[], tools: Readonly<Record<string, string>>): string {
  const names = new Map(Object.entries(tools).map(([operation, id]) => [id, operation]));
  const shown = ids.slice(0, toolsShown).map((id) => names.get(id) ?? id);
  const more = ids.length - shown.length;
  return safeLine(shown.join(", ") + (more > 0 ? ` and ${more} more` : ""));
}

function inParentheses(ids: readonly string[]): string {
  return ids.length > 0 ? ` (${idsText(ids)})` : "";
}

function idsText(ids: readonly string[]): string {
  return safeLine(`${ids.length === 1 ? "ID" : "IDs"} ${namesText(ids)}`);
}
