import { refused, type Checked, type Refusal } from "../../core/finding/checked.js";
import { join, relative, sep } from "node:path";
import type { WorkspaceUse } from "../../generated/workspace.js";
import { error, note, warning, type Finding, type Place } from "../../core/finding/diagnostic.js";
import { didYouMean } from "../../core/finding/nearest.js";
import { quoteFew } from "../../core/finding/quotation.js";
import { bare, say, type Sentence } from "../../core/finding/said.js";
import { environmentName, environmentsOf } from "../../core/resources/environment-name.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import { buildSettings, declaredEnvironments, type Settings } from "../../core/resources/manifest.js";
import { parseIds } from "../../core/resources/parse-ids.js";
import type { UsedWorkspace, UsedWorkspaces } from "../../core/resources/used.js";
import { lazy } from "../../json/once.js";
import { sharesService } from "../../core/state/service-identity.js";
import { readStateElsewhere, workspaceKey, type AccessElsewhere } from "./state-elsewhere.js";
import { summariesOf } from "./documents-elsewhere.js";
import { workspacesBelow } from "../near-manifest.js";
import { fileOfIds, folderName, manifestIn, usedEnvironment, usedFolder, usesGraph } from "./uses-graph.js";
import { WorkspaceFolder } from "../workspace-folder.js";

type FoundUse = Checked<{ readonly found: UsedWorkspace }>;

/** Reads what a workspace uses of others, without a network: their locks in this repository, or files with their IDs. */
export function readUses(
  folder: WorkspaceFolder,
  settings: Settings,
  access: AccessElsewhere,
): { readonly used: UsedWorkspaces; readonly findings: readonly Finding[] } {
  const names = Object.entries(settings.uses);
  if (names.length === 0) return { used: new Map(), findings: [] };
  const used = new Map<string, UsedWorkspace>();
  const findings = usesGraph([folder.root]).cycles.map((cycle) => circular(cycle, folder.root, settings));
  for (const [name, use] of names) {
    const outcome = readUse(name, use, folder, settings, access, findings);
    // What cannot be read has everything, as far as anybody knows.
    const unread = { name, source: name, environment: null, entries: {}, documents: () => undefined };
    if (!outcome.ok) findings.push(...outcome.problems);
    used.set(name, outcome.ok ? outcome.found : unread);
  }
  return { used, findings };
}

function readUse(
  name: string,
  use: WorkspaceUse,
  folder: WorkspaceFolder,
  settings: Settings,
  access: AccessElsewhere,
  findings: Finding[],
): FoundUse {
  const place = placeOf(name);
  const own = environmentName(settings.environment);
  const there = usedEnvironment(use, settings.environment);
  const { workspace, file } = use;
  if ((workspace === undefined) === (file === undefined)) {
    return problem(place, "a use has either `workspace` or `file`", "write one of the two");
  }
  if (workspace !== undefined)
    return readWorkspace(name, workspace, there, folder, settings, access, findings);
  const path = fileOfIds(use, settings.environment);
  if (path === undefined) {
    const message = say`${{ name }} has no file for environment ${{ environment: own }}`;
    return problem(place, message, say`add \`${bare({ environment: own })}: FILE\` to its \`file\``);
  }
  return readFileOfIds(name, path, there, folder);
}

function readFileOfIds(
  name: string,
  path: string,
  environment: string | null,
  folder: WorkspaceFolder,
): FoundUse {
  const place = placeOf(name, "file");
  const target = folder.resolve(manifestFile, path);
  const read = target.ok ? folder.read(target.file) : target;
  if (!read.ok) return refused([error(read.code, place, read.message, read.hint ?? writeIds)]);
  const parsed = parseIds(read.text);
  if (!parsed.ok) {
    return problem(place, say`${{ file: path }} has no IDs that can be used: ${parsed.wrong}`, writeIds);
  }
  if (parsed.environment !== environment) {
    const [found, expected] = [parsed.environment, environment].map(environmentName);
    const message = say`${{ file: path }} has the IDs of environment ${{ found: found ?? "" }}, and ${{ expected: expected ?? "" }} is used here`;
    return problem(place, message, "give a file for each environment, or map the names with `environments`");
  }
  const { entries } = parsed;
  return { ok: true, found: { name, source: path, environment, entries, documents: () => new Set() } };
}

const writeIds = "write it with `agentform output --format json --out FILE` in that workspace";

function readWorkspace(
  name: string,
  path: string,
  environment: string | null,
  own: WorkspaceFolder,
  ownSettings: Settings,
  access: AccessElsewhere,
  findings: Finding[],
): FoundUse {
  const place = placeOf(name, "workspace");
  const there = usedFolder(own.root, path);
  if (!there.ok) return noFolder(path, there.why, own.root, place);
  const directory = there.folder;
  const within = folderName(directory);
  if (there.isAlias) return alias(path, within, pathTo(directory, own), place);
  const manifest = manifestIn(directory);
  if (!manifest) return broken(place, within);
  const declared = declaredEnvironments(manifest.value);
  if (!environmentsOf(declared).includes(environment))
    return noEnvironment(name, within, environment, declared);
  const built = buildSettings(manifest, environment, new Map());
  if (!built.ok) return broken(place, within);
  const { settings } = built;
  const before = access.before?.get(workspaceKey(directory, environment));
  // What has just been applied is in no commit.
  const { locksFrom: _commit, ...present } = access;
  const read = readStateElsewhere(directory, settings, before ? present : access);
  if (!read.ok)
    return problem(place, say`the state of ${{ source: within }} cannot be read: ${read.why}`, read.hint);
  const source = `${pathTo(directory, own)}: ${read.where}`;
  if (read.isUnfetched) {
    const message = say`${bare({ source })} is not in this clone, so nothing of ${{ name }} has an ID`;
    const hint =
      "if something is applied there, fetch it: `git fetch origin '+refs/agentform/*:refs/agentform/*'`";
    findings.push(note("lock-absent", place, message, hint));
  }
  const { base_url = "", rai_base_url } = ownSettings.service;
  const here = { base_url, ...(rai_base_url !== undefined && { rai_base_url }) };
  const { service } = read.lock;
  const isElsewhere = access.options?.emulator !== true && !sharesService(service, here);
  if (service && isElsewhere) findings.push(otherService(name, service.base_url, place));
  const documents = lazy(() => {
    const all = summariesOf(directory, environment, access);
    return all && new Set(all.map(({ address }) => address));
  });
  const entries = before?.entries ?? read.lock.resources;
  const { pending } = before ?? {};
  const { retired } = read.lock;
  const found = { name, source, directory, environment, entries, retired, documents };
  return { ok: true, found: { ...found, ...(pending && { pending }) } };
}

function pathTo(directory: string, own: WorkspaceFolder): string {
  return relative(own.root, directory).split(sep).join("/") || ".";
}

// A link could lead to another workspace while the manifest, whose changes a plan shows, stays as it is.
function alias(path: string, within: string, direct: string, place: Place) {
  const message = say`${{ file: path }} is a link, or another name of the folder ${{ source: within }}`;
  return problem(place, message, say`write ${{ file: direct }}`);
}

function broken(place: Place, within: string) {
  const hint = say`run \`agentform validate -C ${bare({ file: within })}\``;
  return problem(place, say`the manifest of ${{ source: within }} has errors`, hint);
}

// It may be the same service under another name, or another one, which has none of these objects.
function otherService(name: string, url: string, place: Place): Finding {
  const message = say`what ${{ name }} has was applied to ${{ url }}, which is not the service of this workspace`;
  const hint =
    "map the environment of the same service with `environments`, or `ignore: [uses-other-service]` if this is one";
  return warning("uses-other-service", place, message, hint);
}

function noFolder(
  path: string,
  why: "outside" | "missing" | "no-repository",
  root: string,
  place: Place,
): FoundUse {
  if (why === "missing") {
    const below = workspacesBelow(join(root, path, "..")).map((each) =>
      join(path, "..", each).split(sep).join("/"),
    );
    const hint =
      didYouMean(path, below) ??
      (below.length > 0
        ? say`there are ${bare({ expected: below }, quoteFew(below))}`
        : "name the folder of its manifest, relative to this one");
    return problem(place, say`${{ file: path }} has no \`agentform.yaml\``, hint);
  }
  const message =
    why === "outside"
      ? say`${{ file: path }} leads out of this repository`
      : say`${{ file: path }} is in no repository, for the workspace itself is in none`;
  return problem(place, message, "use a `file` with the IDs, which `agentform output --format json` writes");
}

function noEnvironment(
  name: string,
  within: string,
  environment: string | null,
  declared: readonly string[],
): FoundUse {
  const asked = environmentName(environment);
  const known = environmentsOf(declared).map(environmentName);
  const message = say`${{ source: within }} has no environment ${{ environment: asked }}`;
  const hint =
    didYouMean(asked, known) ??
    say`map it: \`environments: {${asked}: NAME}\`, with one of ${bare({ expected: known }, quoteFew(known))}`;
  return refused([error("environment-unknown", placeOf(name), message, hint)]);
}

function circular(cycle: readonly string[], root: string, { uses }: Settings): Finding {
  const way = cycle.map(folderName);
  const next = cycle[cycle.indexOf(root) + 1];
  const name = Object.keys(uses).find((each) => {
    const { workspace } = uses[each] ?? {};
    const found = workspace === undefined ? undefined : usedFolder(root, workspace);
    return found?.ok && found.folder === next;
  });
  const place =
    name === undefined ? { file: manifestFile, path: ["spec", "uses"], key: true } : placeOf(name);
  const message = say`workspaces use each other in a cycle: ${bare({ files: way }, way.join(" → "))}`;
  const hint = "none of them can be applied first: take one of these uses away";
  return error("uses-cycle", place, message, hint);
}

function placeOf(name: string, ...rest: string[]): Place {
  return {
    file: manifestFile,
    path: ["spec", "uses", name, ...rest],
    ...(rest.length === 0 && { key: true }),
  };
}

function problem(place: Place, message: Sentence, hint: Sentence): Refusal {
  return refused([error("uses-unreadable", place, message, hint)]);
}
