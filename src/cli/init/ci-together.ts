import { parsePlace } from "../../core/resources/store-place.js";
import { storeText } from "../../core/state/lock-move.js";
import { equal } from "../../json/json.js";
import { UsageError } from "../exit-code.js";
import { readCiWorkspace, type CiSettings, type CiWorkspace } from "./ci-workspace.js";
import type { Ci } from "./reserved-secrets.js";

/**
 * Reads what jobs need to know that are for several workspaces together.
 * @throws UsageError if their jobs cannot be the same
 */
export async function readTogether(directories: readonly string[], ci: Ci): Promise<CiWorkspace> {
  const found: Extract<CiWorkspace, { ok: true }>[] = [];
  for (const directory of directories) {
    const read = await readCiWorkspace(directory, null, ci);
    if (!read.ok) return read;
    found.push(read);
  }
  const all = found.map(({ settings }) => settings);
  const [first] = all;
  if (!first) throw new UsageError("there is no workspace in this repository");
  const other = all.find((each) => !equal([...each.environments], [...first.environments]));
  if (other) {
    const [one, two] = [first, other].map(
      (each) => `\`${each.workspace}\` has ${each.environments.join(", ")}`,
    );
    throw new UsageError(
      `jobs for all workspaces need the same environments in each: ${one}, and ${two}`,
      "give them the same, or write jobs for each with `agentform init --ci DIR`",
    );
  }
  const places = unique(all.map(({ place }) => place));
  if (places.includes("file") && places.length > 1)
    throw new UsageError("jobs for all workspaces need a state in files in each, or in none");
  const join = (name: "secrets" | "storeSecrets") => unique(all.flatMap((each) => each[name]));
  const looks = all.every(({ lookSecrets }) => lookSecrets !== undefined);
  return {
    ok: true,
    names: Object.assign({}, ...found.map(({ names }) => names)) as Record<string, string>,
    settings: {
      ...first,
      workspace: all.map(({ workspace }) => workspace).join("\n"),
      place: places.length === 1 ? first.place : all.map(placeWithFolder).join("\n"),
      secrets: join("secrets"),
      storeSecrets: join("storeSecrets"),
      ...(looks && { lookSecrets: unique(all.flatMap(({ lookSecrets = [] }) => lookSecrets)) }),
    },
    guarded: found.flatMap(({ guarded }) => guarded),
  };
}

function placeWithFolder({ place, workspace }: Pick<CiSettings, "place" | "workspace">): string {
  return storeText({ ...parsePlace(workspace, place), folder: workspace });
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
