import type { AnySaved } from "../../core/review/saved-plan.js";
import {
  ForgeError,
  OutdatedError,
  SurroundingsError,
  TooLongError,
  type Comment,
  type Discussion,
} from "../../forge/discussion.js";
import { forges, openDiscussion, type Forge } from "../../forge/open-discussion.js";
import { choosing, type CommonOptions, type RunnableCommand } from "../command.js";
import { exitCode, UsageError, type ExitCode } from "../exit-code.js";
import { readAnyPlanFile } from "../files/plan-file.js";
import { fail, refuse } from "../output/print-diagnostics.js";
import { addResultFormat, printResult, type ResultFlags } from "../output/result.js";
import type { CommentAnswer } from "../../generated/comment.js";
import { markerOf, targetMark } from "../../render/markdown/plan-marker.js";
import { renderSavedMarkdown } from "../../render/markdown/plans-markdown.js";
import { commentBytes, leastBytes } from "../../render/markdown/comment-room.js";
import { wantsColor, type Terminal } from "../terminal/terminal.js";

interface CommentFlags extends CommonOptions, ResultFlags {
  readonly plan: string;
  readonly on?: Forge;
  readonly reviewed?: boolean;
}

export const comment: RunnableCommand = {
  about:
    "Runs in a job of GitHub or GitLab, with the token of the job. There is one comment for each environment, updated in place; the plans of several workspaces share one.",
  examples: [
    ["agentform comment --plan plan.json", "post or update the comment of this job's pull request"],
    [
      "agentform comment --plan plan.json --reviewed",
      "print the digest of the plan in the comment, for `apply --expect`",
    ],
  ],
  documents: ["reference/ci.md", "explanation/pull-requests.md"],
  options(command) {
    command
      .requiredOption("--plan <file>", "a plan saved with `plan --out`")
      .addOption(
        choosing("--on <forge>", "the code host; taken from the CI's variables unless given", forges),
      )
      .option("--reviewed", "only print the digest of the plan in the comment");
    addResultFormat(command);
  },
  async run(_args, { plan: file, on, reviewed, color, format }: CommentFlags, terminal) {
    const read = readAnyPlanFile(file, terminal.cwd);
    if (!read.ok)
      return await fail(read.diagnostics, { color: wantsColor(color, terminal), format }, terminal);
    try {
      const discussion = await openDiscussion(on, terminal.env);
      return await (reviewed ? printReviewed : post)(read.saved, discussion, { format }, terminal);
    } catch (cause) {
      if (cause instanceof SurroundingsError) throw new UsageError(cause.message);
      if (cause instanceof OutdatedError) {
        terminal.err(`note: ${cause.message}; nothing was written\n`);
        await print({ outcome: "outdated", note: cause.message }, "", { format }, terminal);
        return exitCode.fine;
      }
      if (!(cause instanceof ForgeError)) throw cause;
      return await refuse("forge-refused", cause.message, { format }, terminal);
    }
  },
};

// A plan begins with a heading.
const cautionStart = "> **";

async function post(
  saved: AnySaved,
  discussion: Discussion,
  flags: ResultFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const [existing] = await discussion.findOwn(markerOf(saved));
  let bytes = Math.min(discussion.maxBytes, commentBytes);
  for (;;) {
    const markdown = renderSavedMarkdown(saved, { maxBytes: bytes, target: mergeOf(discussion) });
    const body = discussion.caution === undefined ? markdown : `${discussion.caution}\n\n${markdown}`;
    try {
      const outcome = await write(body, existing, discussion);
      const text = `${outcomeText[outcome]} on ${discussion.name}\n`;
      await print({ discussion: discussion.name, outcome }, text, flags, terminal);
      return exitCode.fine;
    } catch (cause) {
      if (!(cause instanceof TooLongError) || bytes === leastBytes) throw cause;
      bytes = Math.max(Math.floor(bytes / 2), leastBytes);
    }
  }
}

const outcomeText = { created: "commented", unchanged: "nothing to change", updated: "comment updated" };

// What is written after the merge is for a person who runs the apply again. No branch has a blank in its name.
const mergeOf = ({ target, mergedAt }: Discussion): string =>
  mergedAt === undefined ? target : `${target} merged`;

async function write(
  body: string,
  existing: Comment | undefined,
  discussion: Discussion,
): Promise<keyof typeof outcomeText> {
  if (existing === undefined) {
    await discussion.create(body);
    return "created";
  }
  if (settled(existing.body) === settled(body)) return "unchanged";
  await discussion.update(existing, body);
  return "updated";
}

async function print(
  answer: Omit<CommentAnswer, "format">,
  text: string,
  flags: ResultFlags,
  terminal: Terminal,
): Promise<void> {
  const json = (): CommentAnswer => ({ format: "agentform/comment/v1", ...answer });
  await printResult({ text: () => text, json }, flags, terminal);
}

// Forges change line ends and the end of the text.
function settled(body: string): string {
  return body.replaceAll("\r\n", "\n").trim();
}

async function printReviewed(
  saved: AnySaved,
  discussion: Discussion,
  flags: ResultFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const refused = (reason: string) => refuse("forge-refused", reason, flags, terminal);
  const marker = markerOf(saved);
  const [existing, ...others] = await discussion.findOwn(marker);
  const shown = existing && shownDigest(existing.body, marker);
  if (existing === undefined || shown === undefined) {
    return await refused(`${discussion.name} has no comment with a plan of this workspace and environment`);
  }
  if (others.length > 0) {
    const count = others.length + 1;
    return await refused(
      `${discussion.name} has ${count} comments with a plan: delete all except the correct one`,
    );
  }
  const again = "review the current plan in the comment, then run this job again";
  if (existing.body.startsWith(cautionStart)) {
    return await refused(
      `the comment of ${discussion.name} has a warning, so its plan cannot be trusted: ${again}`,
    );
  }
  const isReport = shown.target === targetMark(mergeOf(discussion));
  if (!isReport && shown.target !== targetMark(discussion.target)) {
    return await refused(
      `the comment of ${discussion.name} does not have the plan of a merge into ${discussion.target}: ${again}`,
    );
  }
  if (!(await discussion.isUntouched(existing))) {
    const way = "delete it, and plan the change again";
    return await refused(`the comment of ${discussion.name} was edited by a different user: ${way}`);
  }
  // One that was under way when the merge was agreed to, such as for a limit of the forge, has replaced what was read.
  if (!isReport && !(Date.parse(existing.writtenAt) < Date.parse(discussion.mergedAt ?? ""))) {
    return await refused(
      `the comment of ${discussion.name} was written after the merge, so nobody has read its plan: ${again}`,
    );
  }
  const { digest } = shown;
  await print({ discussion: discussion.name, outcome: "reviewed", digest }, `${digest}\n`, flags, terminal);
  return exitCode.fine;
}

const lastLines = /(?:^|\n)Digest: `(sha256:[0-9a-f]{64})`[^\n]*\n+(?:(<!-- agentform into: \S+ -->)\n+)?$/;

// Only the lines before the marker at the very end count, because everything before them may contain texts of documents.
function shownDigest(
  body: string,
  marker: string,
): { digest: string; target: string | undefined } | undefined {
  const text = body.replaceAll("\r\n", "\n").trimEnd();
  if (!text.endsWith(marker)) return undefined;
  const [, digest, target] = lastLines.exec(text.slice(0, -marker.length)) ?? [];
  return digest === undefined ? undefined : { digest, target };
}
