import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import { shellWord } from "../../core/finding/shell-word.js";
import type { LeftOutWorkspace } from "../../core/review/plans.js";
import { environmentHint } from "../../core/resources/absence.js";
import { environmentName, environmentOf, environmentsOf } from "../../core/resources/environment-name.js";
import { reachable } from "../../core/resources/graph.js";
import { declaredEnvironments } from "../../core/resources/manifest.js";
import { repositoryRoot } from "../../git/repository.js";
import { error, type Diagnostic } from "../../core/finding/diagnostic.js";
import { quoteFew } from "../../core/finding/quotation.js";
import { bare, say } from "../../core/finding/said.js";
import { locate } from "../../core/position/position.js";
import { cycleDiagnostics, type Member } from "../../sync/several.js";
import type { PlanRequest, WorkspaceOptions } from "../../sync/request.js";
import {
  folderName,
  manifestIn,
  usedEnvironment,
  usedFolder,
  usesGraph,
  workspacesWithin,
} from "../../workspace/others/uses-graph.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { removedHint, removedOnes, type BaseFlags } from "./removed-ones.js";
import { foldersTyped, realOf, type SeveralFlags } from "./several-options.js";

/** The options that find workspaces, the commits that a change is compared with, and rules from outside. */
type MemberFlags = SeveralFlags & BaseFlags & { readonly rules?: string };

/** Several workspaces in the order of their uses, and those that were found and are left out. */
export interface Members<Request extends WorkspaceOptions> {
  readonly members: readonly Member<Request>[];
  readonly leftOut: readonly LeftOutWorkspace[];
  /** What nothing can be planned with: cycles of their uses, or an environment that none of them has. */
  readonly refusals: readonly Diagnostic[];
}

/** Makes the request of each workspace named; throws UsageError if there are none, or if two have one name. */
export async function readMembers<
  Flags extends MemberFlags,
  Request extends WorkspaceOptions & Pick<PlanRequest, "options" | "named">,
>(flags: Flags, read: (flags: Flags) => Promise<Request>, terminal: Terminal): Promise<Members<Request>> {
  const found = findFolders(flags, terminal);
  // Where each is named, as in jobs, a change that takes one away takes its name away as well.
  const tops = topsOf(terminal);
  const all = flags.all === true ? tops : tops.flatMap((top) => repositoryRoot(top) ?? []).slice(0, 1);
  const removed = await removedOnes(flags, all);
  if (flags.all === true && found.length === 0) throw foundNone(removed, terminal);
  refuseSameNames(found, terminal);
  const nameOf = (folder: string) => nameFolder(folder, terminal);
  const without = foldersWithout(found, flags);
  if (without.size > 1 && without.size === found.length)
    return { members: [], leftOut: [], refusals: noEnvironment(found, flags.environment ?? "", nameOf) };
  const lacking = flags.all === true && without.size < found.length ? without : new Set<string>();
  const others = found.filter((folder) => !lacking.has(folder));
  const { ordered, cycles } = inOrderOfUse(others);
  const folders = ordered.map(({ folder }) => folder);
  const leftOut: LeftOutWorkspace[] = [...lacking].map((folder) => ({
    folder: nameOf(folder),
    why: "environment",
    ...environmentInUse(folder, others, flags),
  }));
  const members: Member<Request>[] = [];
  for (const { folder, uses } of ordered) {
    const own = ownVariables(await read({ ...flags, workspace: folder }), folders);
    const request = { ...own, named: found };
    const since = request.options?.changedSince;
    const isGiven = since && [...since.variables].some((name) => request.variables?.has(name) === true);
    // Rules from outside may have changed as well, and judge every document.
    const isOpen = isGiven || flags.rules !== undefined;
    const isUntouched = since && !isOpen && since.files.size + since.uses.size === 0;
    if (isUntouched) leftOut.push({ folder: nameOf(folder), why: "untouched" });
    else members.push({ folder: nameOf(folder), uses: new Set([...uses].map(nameOf)), request });
  }
  leftOut.push(...removed.map((folder) => ({ folder, why: "removed" as const })));
  const [first] = members;
  return { members, leftOut, refusals: first ? cycleDiagnostics(cycles, first.request, nameOf) : [] };
}

function topsOf(terminal: Terminal): string[] {
  const typed = foldersTyped(terminal);
  return typed.length > 0 ? typed : [realOf(".", terminal)];
}

function findFolders({ all }: SeveralFlags, terminal: Terminal): string[] {
  if (all !== true) return [...new Set(foldersTyped(terminal))];
  return [...new Set(topsOf(terminal).flatMap(workspacesWithin))];
}

function foundNone(removed: readonly string[], terminal: Terminal): UsageError {
  const tops = topsOf(terminal);
  const where = tops.map((top) => shellWord(relative(terminal.cwd, top) || ".")).join(", ");
  const hint = tops.some((top) => repositoryRoot(top) === undefined)
    ? "there is no git repository: name each with `-C DIR`"
    : "an `agentform.yaml` that git ignores is not found: name it with `-C DIR`";
  const message = `--all finds no workspace at or below ${where}`;
  if (removed.length === 0) return new UsageError(message, hint);
  return new UsageError(
    `${message}; removed since the commit: ${quoteFew(removed)}`,
    `nothing manages their objects, which stay in the service: ${removedHint}`,
  );
}

// The name is in the place of a state, so a change of one manifest would take over what another workspace has.
function refuseSameNames(folders: readonly string[], terminal: Terminal): void {
  const owners = new Map<string, string>();
  for (const folder of folders) {
    const name = manifestIn(folder)?.value.metadata.name;
    const owner = name === undefined ? undefined : owners.get(name);
    if (name !== undefined && owner !== undefined) {
      const both = [owner, folder].map((each) => `\`${nameFolder(each, terminal)}\``).join(" and ");
      throw new UsageError(
        `the workspaces ${both} are both called \`${name}\`, so they could share a state`,
        "change `metadata.name` of one of them",
      );
    }
    if (name !== undefined) owners.set(name, folder);
  }
}

// A manifest that cannot be read says so itself.
function foldersWithout(folders: readonly string[], { environment }: SeveralFlags): ReadonlySet<string> {
  if (environment === undefined) return new Set();
  return new Set(
    folders.filter((folder) => {
      const known = environmentsIn(folder);
      return known && !known.includes(environmentOf(environment));
    }),
  );
}

function environmentsIn(folder: string): (string | null)[] | undefined {
  const manifest = manifestIn(folder);
  return manifest && environmentsOf(declaredEnvironments(manifest.value));
}

function noEnvironment(
  folders: readonly string[],
  environment: string,
  nameOf: (folder: string) => string,
): Diagnostic[] {
  const files = folders.map(nameOf);
  const known = [...new Set(folders.flatMap((folder) => environmentsIn(folder) ?? []).map(environmentName))];
  const message = say`no workspace has an environment ${{ environment }}: ${bare({ files }, quoteFew(files))}`;
  const finding = error("environment-unknown", undefined, message, environmentHint(environment, known));
  return locate([finding]);
}

// What a mapping leads to is of another command, for one has one environment.
function environmentInUse(
  folder: string,
  users: readonly string[],
  { environment }: SeveralFlags,
): Pick<LeftOutWorkspace, "environment"> {
  const own = environmentOf(environment ?? "default");
  const mapped = users.flatMap((user) =>
    Object.values(manifestIn(user)?.value.spec.uses ?? {}).flatMap((use) => {
      const used = use.workspace === undefined ? undefined : usedFolder(user, use.workspace);
      return used?.ok && used.folder === folder ? [usedEnvironment(use, own)] : [];
    }),
  );
  const there = mapped.find((each) => environmentsIn(folder)?.includes(each));
  return there === undefined ? {} : { environment: environmentName(there) };
}

// A variable that some declare is of these alone; one that none declares is everybody's mistake.
function ownVariables<Request extends WorkspaceOptions>(
  request: Request,
  folders: readonly string[],
): Request {
  const { variables } = request;
  if (!variables || variables.size === 0) return request;
  const declared = (folder: string) => Object.keys(manifestIn(folder)?.value.spec.variables ?? {});
  const own = new Set(declared(request.directory));
  const known = new Set(folders.flatMap(declared));
  const kept = [...variables].filter(([name]) => own.has(name) || !known.has(name));
  return { ...request, variables: new Map(kept) };
}

function nameFolder(folder: string, { cwd }: Terminal): string {
  if (repositoryRoot(folder) !== undefined) return folderName(folder);
  return (relative(cwd, folder) || ".").split(sep).join("/");
}

/** One of several workspaces, in the order of their uses. */
interface OrderedWorkspace {
  /** Its real folder. */
  readonly folder: string;
  /** The real folders of those that it uses, directly or through others. */
  readonly uses: ReadonlySet<string>;
}

/** Orders workspaces so that each comes after those that it uses; with the folders of each cycle of uses. */
function inOrderOfUse(folders: readonly string[]): {
  readonly ordered: readonly OrderedWorkspace[];
  readonly cycles: readonly (readonly string[])[];
} {
  const { order, dependencies, cycles } = usesGraph(folders.filter((folder) => existsSync(folder)));
  const chosen = new Set(folders);
  const missing = folders.filter((folder) => !existsSync(folder));
  const ordered = [...missing, ...order]
    .filter((folder) => chosen.has(folder))
    .map((folder) => ({ folder, uses: reachable([folder], dependencies) }));
  return { ordered, cycles };
}
