import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { lookAt, refuseLinks } from "../../disk/refuse-links.js";
import { unlessFailing } from "../../disk/unless-failing.js";
import type { Ci } from "./reserved-secrets.js";

/** Where a forge looks for the owners of files, the first that is there alone; and what a change of jobs can be in. */
const places: Readonly<Record<Ci, { readonly files: readonly string[]; readonly jobs: readonly string[] }>> =
  {
    github: { files: [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"], jobs: [".github/"] },
    gitlab: {
      files: ["CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"],
      jobs: [".gitlab/", ".gitlab-ci.yml"],
    },
  };

const heading =
  "Who reviews what decides over agents: write a team or a person in the place of @OWNERS, and take the `# ` away.";

/** Adds missing lines to the file of owners, as comments, for only a person knows them; no file if it is a link. */
export function ownersWith(root: string, paths: readonly string[], ci: Ci) {
  const { files, jobs } = places[ci];
  const present = files.filter((file) => lookAt(join(root, file)));
  const file = present.find((each) => isOwn(root, each));
  if (file === undefined && present.length > 0) return [];
  const target = file ?? `.${ci}/CODEOWNERS`;
  const text = file === undefined ? "" : readFileSync(join(root, file), "utf8");
  const own = jobs.some((each) => target.startsWith(each)) ? [] : [target];
  const patterns = patternsIn(text);
  const missing = [...paths, ...jobs, ...own].filter(
    (path) => !patterns.some((pattern) => covers(pattern, path)),
  );
  if (missing.length === 0) return [];
  // On GitLab a line belongs to the section above it, and an approval of that may be optional.
  const section = ci === "gitlab" ? ["[agentform]"] : [];
  const lines = [heading, ...section, ...missing.map((path) => `/${plain(path)} @OWNERS`)];
  const [end = "\n"] = /\r?\n/.exec(text) ?? [];
  const before = text === "" ? "" : text.endsWith("\n") ? text + end : text + end + end;
  const changes = file === undefined ? [] : missing.map((path) => `+ # /${plain(path)}`);
  return [{ file: target, text: before + lines.map((line) => `# ${line}${end}`).join(""), changes }];
}

// What would mean something else in a pattern, or end its line, stands for one character of any sort.
function plain(path: string): string {
  return path.replaceAll(/[^\p{L}\p{N}/._@+-]/gu, "?");
}

// A comment counts where it begins with a path, as the lines that are added do.
function patternsIn(text: string): string[] {
  const found = text.split(/\r?\n/).flatMap((line) => {
    const [, comment = "", pattern = ""] = /^\s*(#[\s#]*)?((?:\\.|\S)+)/.exec(line) ?? [];
    return pattern === "" || (comment !== "" && !pattern.startsWith("/")) ? [] : pattern;
  });
  return found.filter(({ length }) => length <= longestPattern);
}

const longestPattern = 1000;

// A name that nobody can write.
const anything = "\u0001";

function covers(pattern: string, path: string): boolean {
  const matches = matcherOf(pattern);
  return matches((path + (path.endsWith("/") ? anything : "")).split("/")) && !matches([anything, anything]);
}

// As in a .gitignore: with a slash that is not the last, it is from the top; and a folder has all that is in it.
function matcherOf(pattern: string): (names: readonly string[]) => boolean {
  const wanted = pattern.replaceAll(/^\/|\/$/g, "").split("/");
  const isWithin = (names: readonly string[]) =>
    names.some((_, index) => isLike(wanted, names.slice(0, index + 1), "**", isNameLike));
  return /\/./.test(pattern) ? isWithin : (names) => names.some((name) => isWithin([name]));
}

function isNameLike(pattern: string, name: string): boolean {
  return isLike(
    pattern.match(/\\.|./gsu) ?? [],
    [...name],
    "*",
    (one, letter) => one === "?" || one.replace(/^\\/, "") === letter,
  );
}

/** Whether parts are as a pattern says, where one sign stands for any number of them; whatever its length, without trying again. */
export function isLike(
  written: readonly string[],
  parts: readonly string[],
  many: string,
  isOne: (wanted: string, part: string) => boolean,
): boolean {
  const pattern = written.filter((each, index) => each !== many || written[index - 1] !== many);
  const places = (from: number) => (pattern[from] === many ? [from, from + 1] : [from]);
  let reached = new Set(places(0));
  for (const part of parts) {
    const next = [...reached].flatMap((at) => {
      const wanted = pattern[at];
      if (wanted === undefined) return [];
      return wanted === many ? places(at) : isOne(wanted, part) ? places(at + 1) : [];
    });
    reached = new Set(next);
  }
  return reached.has(pattern.length);
}

// What is behind a link may be of another repository, or of none.
function isOwn(root: string, file: string): boolean {
  const path = join(root, file);
  return unlessFailing(() => (refuseLinks(path, [root]), statSync(path).isFile())) === true;
}
