import { idsOf } from "../kind/identity.js";
import type { Kind } from "../kind/kind.js";
import { exposedSecrets, openTexts } from "./exposed-secrets.js";
import type { FoundObject } from "./found-object.js";
import type { Importing } from "./importing.js";

/** Names objects in messages so that no message has the value of a secret. */
export interface SafeNames {
  /** Gives an ID, or the place in the list of one that has the value of a secret. */
  readonly idText: (kind: Kind, id: string) => string;
  /** Gives an object with an alias if a text of it has the value of a secret. */
  readonly withAlias: (object: FoundObject) => FoundObject;
}

/** Knows the secrets that the lists show. */
export function safeNames({ listings, fieldNames }: Pick<Importing, "listings" | "fieldNames">): SafeNames {
  const exposed = [...exposedSecrets(listings, fieldNames)];
  const hasSecret = (text: string) => exposed.some((secret) => text.includes(secret));
  const idText = (kind: Kind, id: string): string => {
    if (!hasSecret(id)) return id;
    const listing = listings.find((each) => each.kind === kind);
    const index = listing?.objects.findIndex((object) => object.id === id) ?? -1;
    return `number ${index + 1} of the list`;
  };
  const withAlias = (object: FoundObject): FoundObject => {
    const { kind, body, identity } = object;
    const ids = idsOf(identity);
    if (![...ids, ...openTexts(body, kind)].some(hasSecret)) return object;
    const [first = "no ID"] = ids.map((id) => idText(kind, id));
    return { ...object, alias: ids.length > 1 ? `${first} and ${ids.length - 1} more` : first };
  };
  return { idText, withAlias };
}
