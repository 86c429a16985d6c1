import type { Tried } from "../medium/patience.js";
import type { DocumentMedium, FoundDocument, StateDocument, Writing } from "../network/document-medium.js";
import type { RefusedRequest } from "../network/refusal.js";
import { HttpLock } from "./http-lock.js";
import type { HttpServer } from "./http-server.js";

/**
 * The state on a server of Terraform's HTTP state protocol.
 *
 * The protocol has no compare-and-swap. What keeps others out is the lock's ID in every write: the server refuses a
 * write with any other. So in doubt the lock is asked for again with the same ID before the state is read: if the ID
 * has the lock and the state is one that this process has written, nobody else can have written since, because who
 * takes the lock first writes its own holder. A server that does not check the ID gets a second guard: before the lock
 * is replaced, and after a time without a write, the state is read, and must be this process's own.
 */
export class HttpMedium implements DocumentMedium {
  readonly isConditional = false;
  readonly keepingHint =
    "check the address in `spec.lock`: it must be a server of Terraform's HTTP state protocol";
  readonly lossText: string;
  readonly lock: HttpLock;

  constructor(private readonly server: HttpServer) {
    this.lossText = `${server.name} was unlocked, or changed elsewhere`;
    this.lock = new HttpLock(server);
  }

  async read(): Promise<FoundDocument> {
    return await this.server.read();
  }

  async latest(): Promise<FoundDocument> {
    return await this.server.read();
  }

  async look(isInDoubt: boolean): Promise<Tried<FoundDocument | "lost", RefusedRequest>> {
    if (isInDoubt) {
      const locking = await this.server.askLock(this.lock.info);
      if (!locking.ok) return locking;
      // A refusal that names nobody may be of a server without locks.
      if (locking.value?.id !== undefined) return { ok: true, value: "lost" };
    }
    return await this.server.readOnce();
  }

  async write(document: StateDocument): Promise<Writing> {
    return await this.server.write(document, this.lock.info.ID);
  }

  close(): void {
    this.server.close();
  }
}
