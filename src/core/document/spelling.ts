import { isScalar } from "yaml";
import type { Path } from "../../json/path.js";
import { lazy } from "../../json/once.js";
import { composeAll } from "./compose.js";
import { nodesOf } from "./yaml-keys.js";

/** Gives how the value at a path is written, if it is a number or a truth value that a text would get otherwise. */
export type OtherSpelling = (document: number, path: Path) => string | undefined;

// Whatever may be a value that is not in quotes, in a text of YAML or JSON.
const word = /(?<![\w.+-])[-+]?\.?\d[\w.+-]*|\b(?:True|TRUE|False|FALSE)\b/g;

/** Gives the values of a text that lose their spelling; the text is parsed only if it may have such values. */
export function otherSpellings(text: string): OtherSpelling {
  const mayHave = lazy(() => Array.from(text.matchAll(word)).some(([found]) => !isOwnSpelling(found)));
  const documents = lazy(() => Array.from(composeAll(text), nodesOf));
  return (document, path) => {
    if (!mayHave()) return undefined;
    const node = documents()[document]?.(path);
    if (!isScalar(node) || (typeof node.value !== "number" && typeof node.value !== "boolean"))
      return undefined;
    return node.source === String(node.value) ? undefined : node.source;
  };
}

// What is no number is a text, but for truth values.
function isOwnSpelling(found: string): boolean {
  const value = Number(found);
  return Number.isNaN(value) ? /\d/.test(found) : String(value) === found;
}
