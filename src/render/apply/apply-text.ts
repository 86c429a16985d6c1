import type { Action } from "../../generated/plan.js";
import type { ApplyEvent, ApplySummary } from "../../core/apply/apply-report.js";
import { inCode } from "../../core/finding/quotation.js";
import { headOf } from "../words/cut-text.js";
import { countText, countsTexts, namesText } from "../words/count-text.js";
import { paletteOf } from "../words/palette.js";
import { safeLine } from "../words/terminal-text.js";

const words: Record<Action["action"], readonly [doing: string, done: string]> = {
  create: ["creating", "created"],
  update: ["updating", "updated"],
  replace: ["replacing", "replaced"],
  adopt: ["adopting", "adopted"],
  forget: ["forgetting", "forgotten"],
  delete: ["deleting", "deleted"],
  record: ["recording", "recorded"],
  unknown: ["resolving", "resolved"],
  blocked: ["unblocking", "unblocked"],
  changed: ["changing", "changed"],
  gone: ["going", "gone"],
};

/** How events and summaries are rendered. */
export interface ApplyTextOptions {
  readonly color: boolean;
}

/** Renders one event of an apply as one line, without a line end. */
export function renderApplyEvent(event: ApplyEvent, { color }: ApplyTextOptions): string {
  const palette = paletteOf(color);
  const [doing, done] = words[event.action];
  const address = safeLine(event.address);
  switch (event.type) {
    case "start":
      return `${address}: ${palette.dim(`${doing}…`)}`;
    case "done":
      return `${address}: ${palette.added(done)}${idsAndHint(event)}`;
    case "failed":
      return `${address}: ${palette.removed("failed")}: ${safeLine(failureText(event))}`;
    case "unknown":
      return `${address}: ${palette.grave(`not known whether it was ${done}`)}: ${safeLine(failureText(event))}`;
    case "doubted":
      return `${address}: ${palette.grave("not known any more which object it has")}: ${safeLine(event.message)}`;
    case "unsaved": {
      const ids = safeLine(event.ids.join(", "));
      return `${address}: ${palette.removed(`${done}, and it could not be saved`)}: keep this: ${ids || "no ID"}`;
    }
    case "old-deleted":
      return `${address}: ${palette.removed("the old object was deleted")}${idsAndHint(event)}`;
    case "old-left": {
      const ids = safeLine(namesText(event.ids));
      return `${address}: ${palette.changed("the old object was left")} (${ids}): ${safeLine(event.because ?? "")}`;
    }
    case "skipped":
      return `${address}: ${palette.changed("skipped")}, because ${safeLine(event.because)}`;
  }
}

function idsAndHint({ ids, hint }: { readonly ids: readonly string[]; readonly hint?: string }): string {
  const named = ids.length > 0 ? ` (${safeLine(namesText(ids))})` : "";
  return hint === undefined ? named : `${named}; ${safeLine(hint)}`;
}

/** Renders how an apply or a prune ended as one line, without a line end; one that could not be saved is not whole. */
export function renderApplySummary(
  summary: ApplySummary,
  {
    color,
    isWhole,
    isPrune = false,
    recorded = 0,
  }: ApplyTextOptions & {
    readonly isWhole: boolean;
    readonly isPrune?: boolean;
    /** How many settings it recorded. */
    readonly recorded?: number;
  },
): string {
  const { done, failed, skipped, unknown, blocked } = summary;
  const palette = paletteOf(color);
  const name = isPrune ? "Prune" : "Apply";
  const others: readonly (readonly [number, string])[] = [
    [failed, "failed"],
    [skipped, "skipped"],
    [unknown, "unknown"],
    [blocked, "blocked"],
  ];
  const parts = countsTexts(others);
  if (parts.length > 0 || !isWhole)
    return `${palette.removed(`${name} incomplete`)}: ${[`${done} done`, ...parts].join(", ")}.`;
  const what = [
    ...(done > 0 ? [`${done} done`] : []),
    ...(recorded > 0 ? [`${countText(recorded, "setting")} recorded`] : []),
  ];
  return `${palette.added(`${name} complete`)}: ${what.join(", ") || "nothing to do"}.`;
}

function failureText({
  method,
  path,
  status,
  message,
  requestId,
  detail = [],
  answer,
  hint,
}: Extract<ApplyEvent, { readonly type: "failed" | "unknown" }>): string {
  const request = method === undefined || path === undefined ? "" : `${method} ${path}`;
  const answered =
    status === undefined ? request : `${request === "" ? "the service" : request} answered ${status}`;
  const items = detail
    .filter(({ msg }) => msg !== "")
    .slice(0, 5)
    .map(({ loc, msg }) => `${loc.length > 0 ? `${inCode(loc.join("."))}: ` : ""}${inCode(msg)}`);
  // The answer is shown only where nothing read out of it says more. It must not pass for the advice behind it.
  const said = answer !== undefined && answer !== "" && detail.length === 0;
  return [
    answered === "" ? message : `${answered}: ${message}`,
    ...(items.length > 0 ? [` (${items.join("; ")})`] : []),
    ...(said ? [`; it said: ${inCode(headOf(answer.replaceAll(/\s+/g, " ").trim(), 300))}`] : []),
    ...(requestId === undefined ? [] : [` [request ${inCode(requestId)}]`]),
    ...(hint === undefined ? [] : [`; ${hint}`]),
  ].join("");
}
