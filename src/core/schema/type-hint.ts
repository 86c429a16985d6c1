import type { Json } from "../../json/json.js";
import type { Path } from "../../json/path.js";

/** Where a text is the value of an environment variable, whole or in part. */
export const environmentVariable = /(?<!\$)\$\{env:[A-Za-z_]/;

/** Says what to write in the place of a value of a wrong type. */
export function typeHint(
  types: readonly unknown[],
  found: Json | undefined,
  isResolved: boolean,
  [top, field]: Path,
): string {
  if (found === null && field === undefined && (top === "metadata" || top === "spec"))
    return "write its fields below it, each indented by two spaces";
  if (found === null || found === undefined) return "give it a value, or remove the field";
  if (top === "lifecycle" && field === "except" && !types.includes("string"))
    return 'write each rule with the reason: `- {rule: host-added, reason: "it is our new host"}`';
  if (types.includes("string") && typeof found !== "object") {
    if (typeof found === "boolean" && top === "lifecycle")
      return field === "adopt"
        ? "write the ID of the object to take over"
        : "write the address that it had before, such as `agent:former`";
    return isResolved ? "put the value of the variable or parameter in quotes" : "put it in quotes";
  }
  if (typeof found === "string" && environmentVariable.test(found)) {
    return "an environment variable is a text, so it can be only a value inside, such as `name: ${env:NAME}`; for a value that is no secret, `${var:NAME}` keeps its type";
  }
  if (types.includes("array") && typeof found === "string" && /^-\S/.test(found)) {
    return "write a space after each dash: `- item`";
  }
  if (types.includes("array")) return "write a list: `[…]`, or a line with `- ` for each item";
  if (types.includes("object") && typeof found === "string" && /^\S+\.(?:json|ya?ml)$/.test(found)) {
    return found.includes("://")
      ? "save it in the workspace, and include it with `${file:PATH}`"
      : `include the file with \`\${file:${found}}\``;
  }
  if (types.includes("object")) return "write a mapping: `name: value` on lines of their own, indented";
  if (types.includes("string")) return "write a text";
  if (typeof found !== "string")
    return types.includes("boolean") ? "write `true` or `false`" : "write a number";
  if (types.includes("boolean") && /^(yes|no|on|off|y|n|true|false)$/i.test(found)) {
    const isTrue = /^(yes|on|y|true)$/i.test(found);
    return `this is a text in YAML 1.2: write \`${isTrue ? "true" : "false"}\`, without quotes`;
  }
  if (types.includes("boolean")) return "write `true` or `false`";
  if (/^[-+]?\d+,\d+$/.test(found)) return "write a point, not a comma: `0.5`";
  return /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(found) ? "remove the quotes" : "write a number, without quotes";
}
