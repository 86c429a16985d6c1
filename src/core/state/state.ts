import { foldedKey } from "../kind/id.js";
import { idsOf } from "../kind/identity.js";
import { kindOfAddress } from "../kind/kinds.js";
import type {
  BeginRecord,
  ClaimedCreate,
  ClaimedUpdate,
  DeleteRecord,
  DoneRecord,
  EntryRecord,
  MoveRecord,
  NotSentRecord,
  RejectedRecord,
  UnknownRecord,
} from "../../generated/journal.js";
import type { JournalRecord } from "./journal.js";
import { completeAttempts, inDoubt, isUntold } from "./attempts.js";
import { defined } from "./defined.js";
import { documentMarks } from "./document-marks.js";
import type { Lock, LockEntry, RetiredObject } from "./lock.js";
import { deletedKey, deletedMembers } from "./deleted.js";
import { sharedKeys, idsIn } from "./known-ids.js";
import { keyIn, putRetired, putUnnamed } from "./ledger.js";
import { nextSerial } from "./lock-writes.js";
import { retiredObjects } from "./retired.js";
import { doubtedCreate, lostCreate, type UnknownTrace } from "./unknown-create.js";

/** What is known of objects that are managed no longer. */
interface Leaving {
  readonly used_by?: readonly string[];
  readonly gone?: readonly string[];
}

/** The state of an environment: its lock, updated with the journal beside it. */
export class State {
  readonly lock: Lock;
  readonly #open = new Map<number, BeginRecord>();
  readonly #claimed = new Map<string, ClaimedCreate | ClaimedUpdate>();
  readonly #deleting = new Map<number, DeleteRecord>();

  /** The service and settings of the apply that wrote the journal, if there is a journal. */
  readonly #used: Pick<Lock, "service" | "settings">;

  constructor(lock: Lock, used: Pick<Lock, "service" | "settings"> = {}) {
    this.#used = used;
    this.lock = {
      ...lock,
      resources: { ...lock.resources },
      retired: { ...lock.retired },
      unknown: { ...lock.unknown },
    };
  }

  advance(record: JournalRecord): void {
    switch (record.type) {
      case "begin":
        this.#open.set(record.n, record);
        this.#claimed.delete(record.address);
        return;
      case "claim":
        for (const each of [...record.creates, ...(record.updates ?? [])])
          this.#claimed.set(each.address, each);
        return;
      case "unsent":
        this.#claimed.clear();
        return;
      case "forget":
        this.#retire(record.address, "forgotten", record);
        delete this.lock.resources[record.address];
        return;
      case "delete":
        this.#deleting.set(record.n, record);
        return;
      case "entry":
        return this.#enter(record);
      case "move":
        return this.#move(record.moves);
      case "resolved":
        return this.#leaveUnknown(record.address);
      default:
        this.#close(record);
    }
  }

  /** Treats an apply as ended: it used its service and settings, and actions that were not closed have an unknown outcome. */
  settle(): void {
    Object.assign(this.lock, this.#used);
    for (const begin of this.#open.values()) {
      this.#lose(begin, { message: "the apply ended before it recorded the outcome" });
    }
    for (const claim of this.#claimed.values()) {
      this.#lose(claim, { message: "the apply ended before it recorded whether this was sent" });
    }
    completeAttempts(this.lock);
    for (const deletion of this.#deleting.values()) this.#doubtDelete(deletion);
    this.#open.clear();
    this.#claimed.clear();
    this.#deleting.clear();
  }

  /** The same in the process that applied, which knows that nothing else was sent of what it claimed. */
  settleHere(): void {
    this.#claimed.clear();
    this.settle();
  }

  get underWay(): readonly BeginRecord[] {
    return [...this.#open.values()];
  }

  #close(record: DoneRecord | RejectedRecord | NotSentRecord | UnknownRecord): void {
    const deletion = this.#deleting.get(record.n);
    if (deletion) {
      this.#deleting.delete(record.n);
      if (record.type === "done") this.#delete(deletion);
      else if (record.type === "unknown") this.#doubtDelete(deletion);
      return;
    }
    const begin = this.#open.get(record.n);
    if (!begin) return;
    this.#open.delete(record.n);
    switch (record.type) {
      case "done": {
        const { type: _type, n: _n, ...identity } = record;
        if (begin.operation === "replace") this.#retire(begin.address, "replaced", begin);
        const before = begin.operation === "update" ? this.lock.resources[begin.address] : undefined;
        // A doubt that came up since remains, because an update does not tell whose ID it is.
        if (begin.operation === "update" && !before) return;
        return this.#put(begin.address, entryOf(begin, { ...lastingOf(before), ...identity }));
      }
      case "unknown":
        this.#lose(begin, record);
        for (const address of record.doubts ?? []) this.#doubt(address, begin.address, record.time);
        return;
      default:
        if ((record.sent ?? 0) > 0) this.#lose(begin, record);
    }
  }

  #delete({ address, id }: DeleteRecord): void {
    const { retired, deleted, deleted_before, serial } = this.lock;
    const key = keyIn(retired, address, id);
    if (key === undefined) return;
    delete retired[key];
    const named = { ...deleted, [deletedKey(address, id)]: nextSerial(serial) };
    Object.assign(this.lock, deletedMembers(named, deleted_before));
  }

  #doubtDelete({ address, id, time }: DeleteRecord): void {
    const { retired } = this.lock;
    const key = keyIn(retired, address, id);
    const object = key === undefined ? undefined : retired[key];
    if (object) putRetired(retired, id, { ...object, delete_sent: time });
  }

  #enter(record: EntryRecord): void {
    const { address, entry, replaces } = record;
    if (replaces === true) this.#retire(address, "replaced", record);
    this.#put(address, entry);
  }

  #put(address: string, entry: LockEntry): void {
    // What is managed again is not left behind any more.
    for (const id of idsOf(entry)) {
      const key = keyIn(this.lock.retired, address, id);
      if (key !== undefined) delete this.lock.retired[key];
      this.#revive(address, id);
    }
    this.lock.resources[address] = entry;
    const wasUnknown = this.lock.unknown[address] !== undefined;
    this.#leaveUnknown(address);
    if (wasUnknown) completeAttempts(this.lock);
  }

  // A service may give an ID again, such as one that it makes of a name.
  #revive(address: string, id: string): void {
    const { [deletedKey(address, id)]: was, ...deleted } = this.lock.deleted ?? {};
    if (was === undefined) return;
    delete this.lock.deleted;
    if (Object.keys(deleted).length > 0) this.lock.deleted = deleted;
  }

  #leaveUnknown(address: string): void {
    const { resources, unknown, retired } = this.lock;
    const { ids = [], body, references, labels } = unknown[address] ?? {};
    delete unknown[address];
    if (ids.length === 0) return;
    const known = [...idsIn(resources), ...idsIn(unknown)];
    const managed = new Set(known.map(({ address: of, id }) => foldedKey(of, id)));
    for (const id of ids) {
      if (sharedKeys(address, id).some((key) => managed.has(key))) continue;
      const object = {
        address,
        reason: "forgotten",
        untold: true,
        ...defined({ labels, body, references }),
      } as const;
      putRetired(retired, id, object);
    }
  }

  // The known details are kept for the person who resolves it.
  #doubt(address: string, other: string, since: string): void {
    const entry = this.lock.resources[address];
    if (!entry) return;
    const kind = kindOfAddress(address);
    delete this.lock.resources[address];
    this.lock.unknown[address] = doubtedCreate(entry, kind, { other, since }, this.lock.unknown[address]);
  }

  #move(moves: MoveRecord["moves"]): void {
    const { resources, unknown } = this.lock;
    const moved = moves.map(({ from, to, moved_from }) => {
      return { to, entry: resources[from], pending: unknown[from], marks: moved_from ? { moved_from } : {} };
    });
    for (const { from } of moves) {
      delete resources[from];
      delete unknown[from];
    }
    for (const { to, entry, pending, marks } of moved) {
      if (entry) resources[to] = { ...entry, ...marks };
      if (pending) unknown[to] = { ...pending, ...marks };
    }
  }

  #lose(begin: BeginRecord | ClaimedCreate | ClaimedUpdate, trace: UnknownTrace): void {
    const { address } = begin;
    if (begin.operation === "update") {
      const entry = this.lock.resources[address];
      // Of an adopted object it is not even known what it had before.
      if (entry && !isUntold(entry)) this.lock.resources[address] = inDoubt(entry, [begin]);
      return;
    }
    this.lock.unknown[address] = lostCreate({ ...begin, operation: begin.operation }, trace);
  }

  #retire(address: string, reason: RetiredObject["reason"], { used_by, gone }: Leaving): void {
    const entry = this.lock.resources[address];
    if (!entry) return;
    const { retired } = this.lock;
    for (const [id, object] of retiredObjects(address, entry, reason, used_by, gone)) {
      if (id.startsWith(`${address}#`)) putUnnamed(retired, id, object);
      else putRetired(retired, id, object);
    }
  }
}

// The members that an update does not change. What the service has of its own may be different now.
function lastingOf(entry: LockEntry | undefined) {
  if (!entry) return {};
  const { id, ids, tools, candidates, assumed, merged_from, sent_once } = entry;
  return defined({ id, ids, tools, candidates, assumed, merged_from, sent_once });
}

function entryOf(begin: BeginRecord, identity: ReturnType<typeof lastingOf>): LockEntry {
  const { body, digest, references, adopted, made_from, baseline, sent_once } = begin;
  const told = defined({ references, adopted, made_from, baseline });
  return { body, digest, ...defined({ sent_once }), ...identity, ...documentMarks(begin), ...told };
}
