import { bare, say, textOf } from "../core/finding/said.js";
import { StoreFailedError } from "../core/state/lock-store.js";
import { readRemoteStates } from "../store/standing-states.js";
import { findNeighbours, readNeighbours, remotesOf, type Neighbours } from "../workspace/neighbours.js";
import { refKey, type AccessElsewhere, type StateTexts } from "../workspace/state-elsewhere.js";
import type { PlanRequest } from "./request.js";

/** The states of the other workspaces of a repository, and how those that use this one are read in the same way. */
export interface StatesAround {
  readonly neighbours: Neighbours;
  readonly access: AccessElsewhere;
}

/**
 * Reads the states of the other workspaces of the repository, those on refs as their remotes have them now: this clone
 * may never have fetched one, or long ago. Moves no ref.
 */
export async function readStatesAround(request: PlanRequest): Promise<StatesAround> {
  const { directory } = request;
  const refs = new Map<string, StateTexts>();
  const unread: string[] = [];
  const found = findNeighbours(directory);
  for (const remote of remotesOf(found)) {
    try {
      for (const { where, lock, journal } of await readRemoteStates(directory, remote))
        refs.set(refKey(remote, where), { lock, journal });
    } catch (thrown) {
      if (!(thrown instanceof StoreFailedError)) throw thrown;
      unread.push(
        textOf(
          say`the states of other workspaces on \`${bare({ source: remote })}\` cannot be read: ${thrown.said}`,
        ),
      );
    }
  }
  const access = { ...request, refs };
  const { states, unread: around } = readNeighbours(found, access);
  return { access, neighbours: { states, unread: [...unread, ...around] } };
}
