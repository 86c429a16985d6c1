import { createHmac, timingSafeEqual } from "node:crypto";
import { bare, say } from "../../core/finding/said.js";
import { StateSealError } from "../../core/state/lock-store.js";
import type { SealKey } from "../../core/state/seal.js";
import { MissingSecretError, renderText } from "../../service/body.js";
import { environmentSecrets, Secret, type SecretSource } from "../../service/secret.js";

/** The key of a seal, or why there is none. */
export type FoundSealKey =
  | { readonly key: SealKey }
  | { readonly key?: undefined; readonly why: StateSealError };

// Who reads a sealed state can try keys against it for as long as they like.
const fewest = 32;

/** Gives the key that a text such as `${env:STATE_SEAL}` names. */
export function findSealKey(
  text: string,
  secrets: SecretSource = environmentSecrets(process.env),
): FoundSealKey {
  const variable = bare({ key: text });
  const key = readKey(text, secrets);
  if (!key) {
    const hint = "the state is neither used nor changed without it: set it where plans are applied";
    return refuse(say`${variable}, the key of the seal, is not set`, hint);
  }
  if (key.unwrap().length < fewest) {
    const message = say`${variable}, the key of the seal, has fewer than ${{ limit: fewest }} characters`;
    return refuse(message, "make one with `openssl rand -hex 32`");
  }
  return { key: keyOf(key) };
}

// White space alone is as good as nothing.
function readKey(text: string, secrets: SecretSource): Secret | undefined {
  try {
    const value = renderText(text, secrets);
    return value.trim() === "" ? undefined : new Secret(value);
  } catch (cause) {
    if (!(cause instanceof MissingSecretError)) throw cause;
    return undefined;
  }
}

function refuse(...[said, hint]: [ReturnType<typeof say>, string]): FoundSealKey {
  return { why: new StateSealError("seal-key", said, hint) };
}

function keyOf(secret: Secret): SealKey {
  const sumOf = (parts: readonly string[]): Buffer => {
    const sum = createHmac("sha256", secret.unwrap());
    for (const part of parts) sum.update(part);
    return sum.digest();
  };
  return {
    sumOf: (parts) => sumOf(parts).toString("hex"),
    fits(parts, sum) {
      const [own, given] = [sumOf(parts), Buffer.from(sum, "hex")];
      return own.length === given.length && timingSafeEqual(own, given);
    },
  };
}
