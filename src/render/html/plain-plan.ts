import type { Action, Change, GuardrailNote, Plan, StateChange } from "../../generated/plan.js";
import { renderAction } from "../change/action-text.js";
import { buildPalette } from "../words/palette.js";
import { escapeHtml } from "./html-text.js";
import { headLines, renderSetting, summaryText } from "../plan/plan-text.js";
import { renderStateChange, stateMeaning, stateTitle } from "../change/state-change-text.js";
import { safeLine } from "../words/terminal-text.js";

// Characters of details for a viewer that runs no scripts; what is beyond is named without them.
const mostDetails = 600_000;

/** Renders a plan as HTML that needs no script: the notes, and each action with its details to unfold. */
export function renderPlainPlan(plan: Plan): string {
  const [title = "", ...compared] = headLines(plan);
  return [
    `<h1>${escapeHtml(title)}</h1>`,
    ...compared.map((line) => `<p>${escapeHtml(line)}</p>`),
    `<p><strong>${escapeHtml(summaryText(plan))}</strong></p>`,
    `<p>Digest: <code>${escapeHtml(safeLine(plan.digest))}</code></p>`,
    ...stateOf(plan.state_changes),
    ...settingsOf(plan.setting_changes),
    ...notesOf(plan.notes),
    ...warningsOf(plan),
    ...actionsOf(plan),
  ].join("\n");
}

function stateOf(edits: readonly StateChange[] = []): string[] {
  if (edits.length === 0) return [];
  const lines = edits.flatMap((edit) => renderStateChange(edit, buildPalette(false)));
  return [
    `<h2>${stateTitle}</h2>`,
    `<p>${escapeHtml(stateMeaning)}</p>`,
    `<pre>${escapeHtml(lines.join("\n"))}</pre>`,
  ];
}

function settingsOf(changes: readonly Change[] = []): string[] {
  if (changes.length === 0) return [];
  const lines = changes.flatMap((change) => renderSetting(change, buildPalette(false)));
  return ["<h2>Settings</h2>", `<pre>${escapeHtml(lines.join("\n"))}</pre>`];
}

function notesOf(notes: readonly GuardrailNote[]): string[] {
  if (notes.length === 0) return [];
  const items = notes.map(({ effect, address, message, code }) => {
    const text = safeLine(`${address}: ${message} [${code}]`);
    return `<li><strong>${effect}</strong> ${escapeHtml(text)}</li>`;
  });
  return ["<h2>Guardrail notes</h2>", "<ul>", ...items, "</ul>"];
}

function warningsOf({ diagnostics }: Plan): string[] {
  if (diagnostics.length === 0) return [];
  const items = diagnostics.map(({ severity, message, code }) => {
    return `<li><strong>${severity}</strong> ${escapeHtml(safeLine(`${message} [${code}]`))}</li>`;
  });
  return ["<h2>Warnings</h2>", "<ul>", ...items, "</ul>"];
}

function actionsOf({ actions, environment }: Plan): string[] {
  if (actions.length === 0) return [];
  const style = { palette: buildPalette(false), width: 100, environment };
  let room = mostDetails;
  const items = actions.map((action) => {
    const lines = room > 0 ? renderAction(action, style).slice(1) : [];
    const details = lines.map((line) => line.replace(/^ {4}/, "")).join("\n");
    room -= details.length;
    return `<li>${itemOf(action, details)}</li>`;
  });
  return ["<h2>Actions</h2>", "<ul>", ...items, "</ul>"];
}

function itemOf({ address, action, file }: Action, details: string): string {
  const place = file === undefined ? "" : ` <small>${escapeHtml(safeLine(file))}</small>`;
  const head = `<strong>${action}</strong> <code>${escapeHtml(safeLine(address))}</code>${place}`;
  if (details === "") return head;
  return `<details><summary>${head}</summary><pre>${escapeHtml(details)}</pre></details>`;
}
