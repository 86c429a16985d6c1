import type { Action } from "../../generated/plan.js";
import { editedFields } from "../../core/plan/change-reasons.js";
import { adoptionForm } from "../../core/plan/tool-ids.js";
import { equal } from "../../json/json.js";
import { readable } from "../../core/expression/expression.js";
import { toolNames } from "../../core/kind/identity.js";
import { kindOfAddress } from "../../core/kind/kinds.js";
import { firstOf } from "../../core/finding/quotation.js";
import { countText, namesText } from "../words/count-text.js";
import { resolveCommand, type StateChoice } from "../../core/state/state-choice.js";
import { safeLine } from "../words/terminal-text.js";

/** What a person can do about an unknown outcome, or look for, and the command or value to copy. */
export interface Way {
  readonly where: string;
  readonly text: string;
}

/** Gives the commands that resolve an action whose outcome is unknown; nothing for the others. */
export function resolution(action: Action, choice: StateChoice): Way[] {
  if (action.action !== "unknown") return [];
  const command = resolveCommand(action.address, choice);
  const { address, body = {}, tools } = action;
  const form = adoptionForm(kindOfAddress(address), body, tools);
  return [
    ...sentAs(action),
    { where: "if it was created", text: `${safeLine(command)} --adopt ${safeLine(form)}` },
    { where: "if it was not", text: `${safeLine(command)} --not-created` },
  ];
}

// What a person looks for in the service; a tool set's stored name has a prefix (docs/reference/interface.md, 2.2).
function sentAs({ body = {} }: Action): Way[] {
  const field = Object.keys(body).find((key) => /(^|_)name$/.test(key));
  const name = field === undefined ? undefined : body[field];
  return typeof name === "string"
    ? [{ where: `it was sent with ${field}`, text: safeLine(readable(name)) }]
    : [];
}

/** Says how many objects an action leaves behind in the service; nothing if there are none. */
export function leaves({ action, leaves: left = 0, ids = [] }: Action): string[] {
  if (left === 0) return [];
  const named = inParentheses(action === "adopt" ? [] : ids);
  return [`leaves ${countText(left, "object")} behind in the service${named}`];
}

const toolsShown = 12;

/** Renders what else follows from an action: what it takes over, deletes and affects. */
export function follows({
  action,
  requests = [],
  deletes = 0,
  ids = [],
  adopted,
  tools = {},
  affects,
  affects_more: isCut,
}: Action): string[] {
  const taken = ids.length > 0 ? ids : typeof adopted === "string" ? [adopted] : (adopted ?? []);
  const puts = action === "update" && ids.length === requests.length && Object.keys(tools).length > 0;
  const updated = puts ? safeLine(firstOf(toolNames({ tools }, ids), toolsShown)) : "";
  return [
    ...(action === "adopt" && taken.length > 0 ? [`takes over ${idsText(taken)}`] : []),
    ...(puts ? [`PUT to ${countText(requests.length, "tool")}: ${updated}`] : []),
    ...(deletes > 0 ? [deletesText(action, deletes, ids)] : []),
    ...(affects.length > 0 ? [`affects ${safeLine(namesText(affects, isCut === true))}`] : []),
  ];
}

function deletesText(action: Action["action"], deletes: number, ids: readonly string[]): string {
  const named = inParentheses(ids);
  if (action === "delete") return `deletes ${countText(deletes, "object")} in the service at the end${named}`;
  const [old, them] =
    deletes === 1 ? ["the old object is", "it"] : [`the ${deletes} old objects are`, "them"];
  return `${old} deleted at the end, if nothing refers to ${them} any more${named}`;
}

/** Gives the reasons of an action beside that it was edited, which its differences show. */
export function otherReasons({ reasons, causes = [], changes }: Action): string[] {
  const edited = editedFields(changes);
  return reasons.filter((_, index) => {
    const { code, parts } = causes[index] ?? {};
    return code !== "edited" || !equal([...(parts?.fields ?? [])], edited);
  });
}

function inParentheses(ids: readonly string[]): string {
  return ids.length > 0 ? ` (${idsText(ids)})` : "";
}

function idsText(ids: readonly string[]): string {
  return safeLine(`${ids.length === 1 ? "ID" : "IDs"} ${namesText(ids)}`);
}
