import { composeAll } from "../../../src/core/document/compose.js";
import { Frames } from "../../../src/core/position/frame.js";
import { secretNames } from "../../../src/core/position/secret-name.js";

/** Every line of a text, as the frames around each show it. */
export function linesOf(text: string, secrets = secretNames): string[] {
  const frames = Frames.of(text, () => [...composeAll(text)], secrets);
  let start = 0;
  return text.split("\n").map((line, index) => {
    const frame = frames?.render({ start, end: start }, index + 1) ?? "";
    start += line.length + 1;
    const own = frame.split("\n").find((row) => row.startsWith("> "));
    return own?.replace(/^> +\d+ \| ?/, "") ?? "";
  });
}
