import { stateOptions } from "./state-choice.js";
import { error, note, type Finding } from "../finding/diagnostic.js";
import { bare, say, type Sentence } from "../finding/said.js";
import type { LockOwner } from "./lock.js";
import type { SealVerdict } from "./lock-store.js";

/** Says how a seal that is not right is mended; the emulator's state has none. */
export function mendSeal({ environment }: LockOwner): string {
  return `\`agentform lock seal${stateOptions({ environment })}\` shows what differs, and seals what you agree to`;
}

/** Says that a state is not what was sealed. */
export function wrongSeal(lockName: string): Sentence {
  return say`the state in ${bare({ lock: lockName })} is not what was sealed: somebody without the key has changed it, or the key is another one`;
}

/** Says that a state has no seal. */
export function missingSeal(lockName: string): Sentence {
  return say`the state in ${bare({ lock: lockName })} has no seal, and \`spec.lock.seal\` asks for one`;
}

// A note where others would warn: a warning can be ignored by the manifest of the change itself.
/** Finds what a reader who changes nothing has to know of the seal of a state. */
export function sealFindings(seal: SealVerdict, lockName: string, owner: LockOwner): Finding[] {
  switch (seal) {
    case "wrong":
      return [error("seal-wrong", undefined, wrongSeal(lockName), mendSeal(owner))];
    case "missing":
      return [
        note("seal-missing", undefined, missingSeal(lockName), `an apply refuses it: ${mendSeal(owner)}`),
      ];
    case "unverified": {
      const message = say`the state in ${bare({ lock: lockName })} is sealed, and could not be verified without the key of the seal`;
      return [
        note(
          "seal-unverified",
          undefined,
          message,
          "an apply has the key, and verifies it before it sends anything",
        ),
      ];
    }
    default:
      return [];
  }
}
