import { warning, type Finding, type Place } from "../finding/diagnostic.js";
import type { Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";
import { visitTexts } from "../../json/texts.js";
import { say } from "../finding/said.js";
import { quote } from "../finding/quotation.js";

const dotted = /(?<!\$)\$\{each\.(?:value\.)?([\w-]+)\}/g;

/** Warns of parameters in the notation of other tools, such as `${each.value.language}`, which is sent as a text. */
export function explainDotted(root: Json, place: (path: Path) => Place): Finding[] {
  const findings: Finding[] = [];
  visitTexts(root, [], (text, path) => {
    for (const [source, name] of text.matchAll(dotted)) {
      const message = say`${{ source }} is not a parameter and is taken as a text`;
      const hint = say`write ${quote(`\${each:${name}}`)}, or ${quote(`$${source}`)} for the text itself`;
      const fix = { type: "write", from: source, to: `\${each:${name}}` } as const;
      const at = { ...place([...path]), expression: source };
      findings.push(warning("reference-literal", at, message, hint.proposing(fix)));
    }
  });
  return findings;
}
