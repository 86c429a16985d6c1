import { error, type Finding, type Place } from "../finding/diagnostic.js";
import { schemes, type Expression, type ExpressionProblem } from "./expression.js";
import { didYouMean, didYouMeanAmong } from "../finding/nearest.js";
import { oncePer } from "../../json/once.js";
import { Said, say, bare } from "../finding/said.js";
import type { Json } from "../../json/json.js";

const shownPlaces = 8;

/** Says how the text itself is sent that looks like an expression. */
export function literalHint(source: string): Said {
  return new Said("for a literal `${`, write `$${`", {}, [
    { type: "escape", from: source, to: `$${source}` },
  ]);
}

/** Reports a text that looks like an expression but is not a valid one. */
export function explainProblem({ problem, scheme, source }: ExpressionProblem, place: Place): Finding {
  switch (problem) {
    case "unclosed":
      return error(
        "expression-syntax",
        place,
        say`\`\${${bare({ scheme })}:\` is not closed on its line`,
        say`add \`}\`; ${literalHint(`\${${scheme}:`)}`,
      );
    case "empty":
      return error(
        "expression-syntax",
        place,
        say`${{ source }} has no name after the colon`,
        say`write \`\${${scheme}:NAME}\`; ${literalHint(source)}`,
      );
    case "unknown-scheme": {
      const meant = didYouMean(scheme, schemes, "${");
      const known = meant ? say`${meant} If not,` : say`the schemes are ${bare({ expected: [...schemes] })};`;
      const message = say`${{ source }} has the unknown scheme ${{ scheme }}`;
      return error("expression-scheme", place, message, say`${known} ${literalHint(source)}`);
    }
  }
}

/** Reports an expression that must name an environment variable but does not. */
export function explainNoVariable({ source }: Expression, place: Place): Finding {
  const hint = "write `${env:NAME}`, or `${env:NAME@REVISION}` after the secret was rotated";
  return error("expression-syntax", place, say`${{ source }} does not name an environment variable`, hint);
}

// One for all uses: each may be compared with each variable.
const meantAmong = oncePer((declared: ReadonlyMap<string, unknown>) => didYouMeanAmong([...declared.keys()]));

/** Reports the use of a variable that the manifest does not declare. */
export function explainUndeclared(
  name: string,
  declared: ReadonlyMap<string, unknown>,
  place: Place,
): Finding {
  const hint = meantAmong(declared)(name, "var:") ?? "declare it under `spec.variables` of agentform.yaml";
  return error("variable-unknown", place, say`variable ${{ name }} is not declared`, hint);
}

/** Reports a number or a truth value of which a text would get another spelling; one of a data file is not quoted. */
export function explainSpelling(place: Place, value: Json, source: string | undefined): Finding {
  const found = source === undefined ? "a value of the file" : say`${{ source }}`;
  const what = typeof value === "number" ? "number" : "truth value";
  const message =
    source === undefined
      ? say`${found} is a ${what} that would change its spelling inside a text`
      : say`${found} is the ${what} ${{ found: String(value) }}, and would be written so inside the text`;
  return error(
    "expression-type",
    place,
    message,
    "put it in quotes, or write it in the spelling that the text gets",
  );
}

/** Reports that a variable has no value, with the places that need it. */
export function explainMissing(name: string, places: readonly Place[], environment: string | null): Finding {
  const where = environment === null ? "" : say` in environment \`${bare({ environment })}\``;
  const message = say`variable ${{ name }} is required but has no value${where}`;
  const hint = `pass \`--var ${name}=VALUE\`, or give it a default or a value in the environment`;
  const others = places.slice(1, shownPlaces).map((place) => ({ message: "also needed here", place }));
  return {
    ...error("variable-missing", places[0], message, hint),
    ...(others.length > 0 && { related: others }),
  };
}
