import { mapAtOnce } from "../../json/at-once.js";
import { warning, type Finding } from "../../core/finding/diagnostic.js";
import { bare, say, type Sentence } from "../../core/finding/said.js";
import { environmentName, environmentsOf } from "../../core/resources/environment-name.js";
import { manifestFile } from "../../core/resources/manifest-file.js";
import type { Settings } from "../../core/resources/manifest.js";
import { ownerOf } from "../../core/state/lock.js";
import { unlessMediumFails, type StateNames, type StateTexts } from "../../core/state/lock-store.js";
import { ownerInText } from "../../core/state/renamed-state.js";
import { assembleState } from "../../core/state/stored-state.js";
import { openStore } from "../../store/open-store.js";
import { locationOf, type PlanRequest } from "../request.js";

/** How many states are looked at, and how many at a time: each costs a connection, or processes of git. */
const [mostLooked, concurrency] = [100, 8];

const place = { file: manifestFile, path: ["spec", "environments"], key: true };

/** Warns of the state of an environment that the manifest lost: nobody manages its objects. */
export async function warnOfGoneEnvironments(settings: Settings, request: PlanRequest): Promise<Finding[]> {
  if (request.options?.emulator) return [];
  const store = await openStore(settings, locationOf(request));
  const none: readonly (string | null)[] = [];
  const listed = await unlessMediumFails(store.environments?.() ?? Promise.resolve(none), () => none);
  const before = (request.rules ?? []).flatMap(({ environments = [] }) => environments);
  const known = environmentsOf(settings.environments);
  const gone = [...new Set([...before, ...listed])].filter((environment) => !known.includes(environment));
  const looks = await mapAtOnce(gone.slice(0, mostLooked), concurrency, (environment) =>
    warnOf({ ...settings, environment }, known, request),
  );
  const found = looks.flat();
  return gone.length > mostLooked ? [...found, warnOfMore(gone.length - mostLooked)] : found;
}

function warnOfMore(count: number): Finding {
  const message = say`${bare({ count })} more states are of environments that agentform.yaml does not have, and were not looked at`;
  const hint = "where an environment was given up, delete its objects in the service, and then its state";
  return warning("environment-gone", place, message, hint);
}

async function warnOf(
  gone: Settings,
  known: readonly (string | null)[],
  request: PlanRequest,
): Promise<Finding[]> {
  const store = await openStore(gone, { ...locationOf(request), sealCheck: "told" });
  const name = bare({ name: environmentName(gone.environment) });
  const lock = bare({ lock: store.lockName });
  const hint = say`declare it again, or move its state with \`agentform lock move --from-environment ${name} -e NEW\`; if it was given up, delete its objects in the service, and then ${lock}`;
  const warn = (said: Sentence, then = hint) => [warning("environment-gone", place, said, then)];
  const stored = await unlessMediumFails(
    store.read().then((read) => ({ ok: true as const, ...read })),
    ({ said }) => ({ ok: false as const, said }),
  );
  if (!stored.ok)
    return warn(
      say`agentform.yaml does not have the environment \`${name}\` any more, and whether anything of it is still in the service is not known: ${stored.said}`,
    );
  const isHere = stored.lock !== null || stored.journal !== null;
  // A change may take the file away as well.
  const before = isHere ? undefined : await request.readMarks?.(gone);
  const lineage = lineageOfAny(before ?? stored, gone, store);
  if (lineage === undefined || (before && (await lineagesOf(gone, known, request)).includes(lineage)))
    return [];
  const where = before ? say`${lock} of the commit before the change` : lock;
  const message = say`${where} has the state of the environment \`${name}\`, which agentform.yaml does not have: what was applied there is still in the service, and nobody manages it`;
  const back = say`bring ${lock} back and declare the environment again; if it was given up, delete its objects in the service first`;
  return warn(message, before ? back : hint);
}

// That of another owner, such as a copy, is none of this environment, and one that has moved is read where it is now.
function lineageOfAny(texts: StateTexts, gone: Settings, names: StateNames): string | undefined {
  const state = assembleState({ ...texts, version: null, holder: null }, ownerOf(gone), names);
  if (!state.ok) return undefined;
  const { resources, unknown, lineage } = state.lock;
  return [resources, unknown].some((entries) => Object.keys(entries).length > 0) ? lineage : undefined;
}

// A file that was renamed has the state of another environment now.
async function lineagesOf(
  settings: Settings,
  known: readonly (string | null)[],
  request: PlanRequest,
): Promise<(string | undefined)[]> {
  const reading = known.map(async (environment) => {
    const store = await openStore({ ...settings, environment }, locationOf(request));
    return await unlessMediumFails(store.read(), () => undefined);
  });
  return (await Promise.all(reading)).map((stored) => ownerInText(stored?.lock ?? null)?.lineage);
}
