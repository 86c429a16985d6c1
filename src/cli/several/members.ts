import { relative, sep } from "node:path";
import { shellWord } from "../../core/finding/shell-word.js";
import type { LeftOutWorkspace } from "../../core/plan/plans.js";
import type { PlanOptions } from "../../core/plan/plan-options.js";
import { environmentOf, environmentsOf } from "../../core/resources/environment-name.js";
import { declaredEnvironments } from "../../core/resources/manifest.js";
import { repositoryRoot } from "../../git/repository.js";
import type { Diagnostic } from "../../core/finding/diagnostic.js";
import { cycleDiagnostics, type Member } from "../../sync/several.js";
import type { WorkspaceOptions } from "../../sync/request.js";
import { inOrderOfUse, workspacesWithin } from "../../workspace/several-workspaces.js";
import { folderName, manifestIn } from "../../workspace/uses-graph.js";
import { UsageError } from "../exit-code.js";
import type { Terminal } from "../terminal/terminal.js";
import { foldersTyped, realOf, type SeveralFlags } from "./several-options.js";

/** Several workspaces in the order of their uses, and those that were found and are left out. */
export interface Members<Request extends WorkspaceOptions> {
  readonly members: readonly Member<Request>[];
  readonly leftOut: readonly LeftOutWorkspace[];
  /** The cycles of their uses, with which nothing can be planned. */
  readonly cycles: readonly Diagnostic[];
}

/**
 * Finds the workspaces that a command line names, and makes the request of each.
 * @throws UsageError if there are none, or if two have one name
 */
export async function readMembers<
  Flags extends SeveralFlags,
  Request extends WorkspaceOptions & { readonly options?: PlanOptions },
>(flags: Flags, read: (flags: Flags) => Promise<Request>, terminal: Terminal): Promise<Members<Request>> {
  const found = findFolders(flags, terminal);
  refuseSameNames(found, terminal);
  const lacking = foldersWithout(found, flags);
  const { ordered, cycles } = inOrderOfUse(found.filter((folder) => !lacking.has(folder)));
  const nameOf = (folder: string) => nameFolder(folder, terminal);
  const folders = ordered.map(({ folder }) => folder);
  const leftOut: LeftOutWorkspace[] = [...lacking].map((folder) => ({
    folder: nameOf(folder),
    why: "environment",
  }));
  const members: Member<Request>[] = [];
  for (const { folder, uses } of ordered) {
    const request = ownVariables(await read({ ...flags, workspace: folder }), folders);
    const since = request.options?.changedSince;
    const isUntouched = since && since.files.size + since.uses.size === 0;
    if (isUntouched) leftOut.push({ folder: nameOf(folder), why: "untouched" });
    else members.push({ folder: nameOf(folder), uses: new Set([...uses].map(nameOf)), request });
  }
  const [first] = members;
  return { members, leftOut, cycles: first ? cycleDiagnostics(cycles, first.request, nameOf) : [] };
}

function findFolders({ all }: SeveralFlags, terminal: Terminal): string[] {
  const typed = foldersTyped(terminal);
  if (all !== true) return [...new Set(typed)];
  const tops = typed.length > 0 ? typed : [realOf(".", terminal)];
  const found = [...new Set(tops.flatMap(workspacesWithin))];
  if (found.length > 0) return found;
  const where = tops.map((top) => shellWord(relative(terminal.cwd, top) || ".")).join(", ");
  const hint = tops.some((top) => repositoryRoot(top) === undefined)
    ? "there is no git repository: name each with `-C DIR`"
    : "an `agentform.yaml` that git ignores is not found: name it with `-C DIR`";
  throw new UsageError(`--all finds no workspace at or below ${where}`, hint);
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
        `the workspaces ${both} are both called \`${name}\`, so that their states could be one`,
        "change `metadata.name` of one of them",
      );
    }
    if (name !== undefined) owners.set(name, folder);
  }
}

// Where none has it, each says so itself.
function foldersWithout(folders: readonly string[], { all, environment }: SeveralFlags): ReadonlySet<string> {
  if (all !== true || environment === undefined) return new Set();
  const without = folders.filter((folder) => {
    const manifest = manifestIn(folder);
    return (
      manifest && !environmentsOf(declaredEnvironments(manifest.value)).includes(environmentOf(environment))
    );
  });
  return without.length === folders.length ? new Set() : new Set(without);
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
