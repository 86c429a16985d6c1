import { bare, say } from "../../core/finding/said.js";
import { StoreFailedError, unlessMediumFails } from "../../core/state/lock-store.js";
import type { Tried } from "../medium/patience.js";
import {
  nothing,
  type DocumentMedium,
  type FoundDocument,
  type StateDocument,
  type Writing,
} from "../network/document-medium.js";
import type { RefusedRequest } from "../network/refusal.js";
import type { GitRef } from "./git-ref.js";
import type { GitRemote } from "./git-remote.js";

/** How often a push is retried that the remote itself refuses. */
const refusals = 3;

/** The state on a ref of a git remote, which alone is true: it moves only from where the writer saw it. */
export class GitMedium implements DocumentMedium {
  readonly isConditional = true;
  readonly lossText: string;
  readonly notTaken: string;
  /** What the last push that arrived has, and what this process has committed since, by the commit. */
  readonly #made = new Map<string, StateDocument>();
  #refused = 0;

  constructor(
    readonly ref: GitRef,
    private readonly remote: GitRemote,
  ) {
    this.lossText = `${ref.name} was unlocked, or changed elsewhere, on the remote \`${remote.name}\``;
    this.notTaken = `, so ${ref.name} was not changed`;
  }

  async read(isToWrite: boolean): Promise<FoundDocument> {
    if (isToWrite) return await this.#foundAt(await this.#catchUp());
    // That nothing was applied, only the remote can tell: a clone has not seen the state in which nobody has fetched the
    // ref, or only while the first apply ran.
    const head = await this.ref.head();
    const here = await this.#foundAt(head);
    return here.document.lock === null ? await this.#foundAt(await this.#first(head)) : here;
  }

  async refresh(): Promise<void> {
    await this.#catchUp();
  }

  async look(): Promise<Tried<FoundDocument | "lost", RefusedRequest>> {
    const head = await this.remote.askHead();
    if (!head.ok) return head;
    const document = this.#made.get(head.value ?? "");
    return { ok: true, value: document ? { document, tag: head.value } : "lost" };
  }

  async write(document: StateDocument, after: FoundDocument, message: string): Promise<Writing> {
    // What is there if no push has arrived.
    this.#made.set(after.tag ?? "", after.document);
    const commit = await this.ref.commit(document, after.tag, message);
    this.#made.set(commit, document);
    const push = await this.remote.push(commit, after.tag);
    if (!push.ok) {
      const isPassing = push.isPassing || (!push.isStuck && ++this.#refused < refusals);
      return { ...push, isPassing };
    }
    this.#refused = 0;
    this.#made.clear();
    this.#made.set(commit, document);
    await this.ref.follow(commit, after.tag);
    return { ok: true, value: { tag: commit } };
  }

  async #first(here: string | null): Promise<string | null> {
    return await unlessMediumFails(this.#catchUp(here), ({ said, hint }) => {
      throw new StoreFailedError(
        say`the lock of ${bare({ lock: this.ref.name })} is not in this clone, so whether anything was applied is not known: ${said}`,
        hint,
      );
    });
  }

  async #foundAt(head: string | null): Promise<FoundDocument> {
    const document = head === null ? nothing : await this.ref.read(head);
    return { document, tag: head };
  }

  /** Moves this machine's ref to the remote's commit, and gives that. */
  async #catchUp(before?: string | null): Promise<string | null> {
    const { ref, remote } = this;
    // This machine's ref is read first: it is never ahead, so the remote's later commit must contain it.
    const here = before === undefined ? await ref.head() : before;
    if (here === null) await ref.check();
    const head = await remote.head();
    if (head === null) {
      if (here === null) return null;
      throw new StoreFailedError(
        say`${bare({ lock: ref.name })} exists in this repository but not on the remote \`${bare({ source: remote.name })}\``,
        `find out who removed it there; then push it again: \`git push ${remote.name} ${ref.name}\`; or remove it here, to begin anew: \`git update-ref -d ${ref.name}\``,
      );
    }
    if (!(await ref.has(head))) {
      await remote.fetch();
      if (!(await ref.has(head)))
        throw new StoreFailedError(
          say`${bare({ lock: ref.name })} of the remote \`${bare({ source: remote.name })}\` is not a commit, so agentform has not written it`,
          `find out who pushed it there; then push the state again from a clone that has it: \`git push --force ${remote.name} ${ref.name}\``,
        );
    }
    if (here !== null && !(await ref.precedes(here, head))) {
      throw new StoreFailedError(
        say`${bare({ lock: ref.name })} of the remote \`${bare({ source: remote.name })}\` lacks commits that this repository has: it was set back`,
        `find out who set it back; then push the newer one again: \`git push ${remote.name} ${ref.name}\`; if somebody has applied since, that is refused: then run \`git update-ref -d ${ref.name}\`, and merge both with \`agentform lock restore\``,
      );
    }
    // What is no state is not kept here.
    await ref.read(head);
    await ref.follow(head, here);
    return head;
  }
}
