import { renderPlanMarkdown } from "../../../src/render/markdown/plan-markdown.js";
import type { Planted, Storm } from "./storm.js";
import { has, sightingOf } from "./sighting.js";
import type { Trace } from "./hidden-danger.js";

/** Where a tired reader stops, and where the notes must have ended for one who is in a hurry. */
const lastLine = 100;
const lastNotedLine = 60;

/** What a plan of 65 changes may have at most, in bytes, and what each new document adds to it. */
const usual = { changes: 65, bytes: 12_000, created: 1000 };

/** A storm as its reader gets it. */
export interface RenderedStorm extends Storm {
  readonly markdown: string;
}

/** Renders a storm as the comment of a pull request. */
export function renderStorm(storm: Storm): RenderedStorm {
  return { ...storm, markdown: renderPlanMarkdown(storm.plan) };
}

/** Says why a reader misses a danger of a storm; nothing if all of it is seen in time. */
export function missOf(storm: RenderedStorm, { danger, trace }: Planted): string | undefined {
  const { line, missing } = sightingOf(storm.markdown, trace);
  const last = danger.isNoted ? lastNotedLine : lastLine;
  const reasons = [
    ...missing,
    ...(line !== undefined && line >= last ? [`all of it only in line ${line}`] : []),
    ...(danger.isNoted && !isNoted(storm, trace) ? ["no note is about it"] : []),
  ];
  return reasons.length === 0 ? undefined : `STORM=${storm.seed}: ${reasons.join("; ")}`;
}

function isNoted({ ownNotes }: Storm, { names }: Trace): boolean {
  // A tool that an agent gains is a note of the agent, and names the tool set.
  const texts = ownNotes.map(({ address, message }) => `${address} ${message}`);
  return texts.some((text) => names.some((name) => has(text, name)));
}

/** Says by how much a storm's Markdown is too long for the number of its changes; nothing if it is not. */
export function excessOf({ seed, plan, markdown, planted }: RenderedStorm): string | undefined {
  const { actions } = plan;
  // What is new is text to be read, once for each document; a line that changed is shown before and after.
  const created = new Set(actions.filter(({ action }) => action === "create").map(({ file }) => file));
  const changed = planted.flatMap(({ trace }) => trace.shows).join("").length;
  const allowed =
    usual.bytes * Math.max(1, actions.length / usual.changes) + created.size * usual.created + 2 * changed;
  const bytes = Buffer.byteLength(markdown);
  if (bytes <= allowed) return undefined;
  return `STORM=${seed}: ${bytes} bytes for ${actions.length} changes, of at most ${Math.floor(allowed)}`;
}

/** Writes a storm out for somebody who wants to see what its reader gets. */
export function storyOf(storm: RenderedStorm): string {
  const { markdown, honest, planted, plan } = storm;
  const numbered = markdown.split("\n").map((line, index) => `${String(index + 1).padStart(4)}  ${line}`);
  const dangers = planted.map((each) => {
    const { line } = sightingOf(markdown, each.trace);
    const { danger, trace } = each;
    const where = line === undefined ? "not seen" : `line ${line}`;
    return `- ${danger.sort} in ${trace.names.join(" or ")}: ${where}${missOf(storm, each) ? `, MISSED: ${missOf(storm, each)}` : ""}`;
  });
  const size = `${plan.actions.length} changes, ${Buffer.byteLength(markdown)} bytes`;
  return [...numbered, "", `honest: ${honest.join(", ")}`, size, excessOf(storm) ?? "", ...dangers].join(
    "\n",
  );
}
