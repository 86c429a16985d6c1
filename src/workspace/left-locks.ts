import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockFileName } from "../core/resources/lock-location.js";
import { parseMove } from "../core/state/lock-move.js";
import { kinOf } from "../core/state/renamed-state.js";
import { assembleState } from "../core/state/stored-state.js";
import { filesNamed } from "../git/listed-names.js";
import { findRepository } from "../git/repository.js";
import type { FoundNeighbours, Neighbour, Neighbours } from "./neighbours.js";
import { folderName } from "./uses-graph.js";
import { WorkspaceFolder } from "./workspace-folder.js";

/**
 * Reads the locks of a repository in files that no manifest leads to, for the manifest or the environment is gone: what
 * they have is still in the service.
 */
export function readLeftLocks(directory: string, { found }: FoundNeighbours): Neighbours {
  const root = findRepository(directory)?.root;
  if (root === undefined) return { states: [], unread: [] };
  const known = new Set(found.map(({ folder, settings }) => join(folder, lockFileName(settings))));
  const states: Neighbour[] = [];
  const unread: string[] = [];
  for (const file of filesNamed(directory, "agentform*.lock")) {
    const folder = dirname(join(root, file));
    const isOwn = !existsSync(folder) || realpathSync(folder) === realpathSync(directory);
    if (isOwn || known.has(join(root, file)) || file.split("/").includes(".agentform")) continue;
    const [lock, journal] = ["", ".journal"].map((end) => {
      const read = new WorkspaceFolder(folder).readOwn(`${basename(file)}${end}`);
      return read.ok ? read.text : null;
    });
    if (lock == null || parseMove(lock)?.to !== undefined) continue;
    const stored = { lock, journal: journal ?? null, version: null, holder: null };
    const owner = kinOf(lock);
    const state = owner && assembleState(stored, owner, { lockName: file, journalName: `${file}.journal` });
    if (state?.ok !== true) unread.push(`${file} cannot be read`);
    else
      states.push({
        workspace: folderName(folder),
        environment: owner?.environment ?? null,
        lock: state.lock,
      });
  }
  return { states, unread };
}
