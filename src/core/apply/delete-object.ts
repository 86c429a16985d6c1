import { Beginning } from "./beginning.js";
import { requestFor } from "../kind/deployment.js";
import { kindOfAddress } from "../kind/kinds.js";
import { unlikeText } from "../plan/cause.js";
import type { ServiceObject } from "../state/object-users.js";
import type { ListedUsers } from "../observation/listed-users.js";
import { lookAtLeft } from "../observation/left-object.js";
import { readObject } from "../observation/read-object.js";
import type { Failure } from "../observation/service.js";
import { traceOf, type Ending, type Running } from "./running.js";

/** How a delete ended, of one object or of several together, which may not be part of the state yet. */
export interface DeletedObject {
  readonly ending: Ending;
  /** Resolves when that is part of the state; rejects if it could not be saved. */
  readonly recorded: Promise<void>;
}

const later = "the service has accepted the delete (202), and may carry it out later, or not at all";

/** Deletes one object of the ledger; rejects if the journal could not be written first, or the store is lost. */
export async function deleteObject(
  object: ServiceObject,
  running: Running,
  { isListed }: Pick<ListedUsers, "isListed">,
): Promise<DeletedObject> {
  const { service, deployment, nextNumber, now } = running;
  const { address, id } = object;
  const { delete: operation, read } = deployment[kindOfAddress(address).name] ?? {};
  if (!operation) throw new Error(`nothing deletes ${address}`);
  const request = requestFor(operation, id);
  const { method, path } = request;
  const unlike = await unlikeLeft(object, running);
  if (unlike) {
    const ending = { ...unlike, type: "failed", method, path } as const;
    return { ending, recorded: Promise.resolve() };
  }
  const n = nextNumber();
  const beginning = new Beginning({ type: "delete", n, address, id, time: now(), method, path }, running);
  const look = { again: async () => await unlikeLeft(object, running) };
  const outcome = await service.ask(request, "delete", beginning.ready, look);
  const isGone = outcome.status !== undefined && operation.gone.includes(outcome.status);
  const isAccepted = outcome.type === "success" && outcome.status === 202;
  const seen = (isGone || isAccepted) && read ? await readObject(service, read, id) : undefined;
  const isThere = seen ? seen.state === "found" : isGone && isListed(object) === true;
  if (isThere && isAccepted)
    return end("unknown", {
      message: "the service has accepted the delete, and still shows it",
      status: 202,
    });
  if (isThere)
    return end("rejected", {
      message: "the service says that there is no such object, but still shows it",
      ...(outcome.status !== undefined && { status: outcome.status }),
      hint: `check the path of \`delete\` in \`service.operations\`: ${method} ${path} was sent`,
    });
  if (seen?.state === "unreadable") {
    return end("unknown", { message: `whether the object still exists could not be read (${seen.why})` });
  }
  if (outcome.type === "success" || isGone) {
    const hint = isAccepted && !seen && { hint: later };
    return { ending: { type: "done", ids: [id], ...hint }, recorded: beginning.close({ type: "done", n }) };
  }
  const { type, ...failure } = outcome;
  return end(type, failure);

  function end(type: "rejected" | "not-sent" | "unknown", failure: Failure): DeletedObject {
    const trace = traceOf(failure);
    const isUnknown = type === "unknown";
    return {
      ending: { ...failure, type: isUnknown ? "unknown" : "failed", method, path },
      recorded: beginning.close(
        isUnknown ? { type, n, time: now(), method, path, ...trace } : { type, n, ...trace },
      ),
    };
  }
}

// Between the plan and the delete somebody may have changed it, and an ID may be that of another object.
async function unlikeLeft(object: ServiceObject, running: Running): Promise<Failure | undefined> {
  const { service, deployment, state, updateChecks } = running;
  const { before, overwrite, fieldNames } = updateChecks;
  if (!before || overwrite.has(object.address) || overwrite.has("all")) return undefined;
  const why = unlikeText(await lookAtLeft(object, state.lock, { service, deployment, fieldNames }));
  return why === undefined ? undefined : { message: why };
}
