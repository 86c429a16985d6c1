import { expect, test } from "vitest";
import { wantsColor } from "../../src/cli/terminal/terminal.js";

const wanted = (isTerminal: boolean, env: Readonly<Record<string, string>>, option?: boolean): boolean =>
  wantsColor(option, { isTerminal, env } as Parameters<typeof wantsColor>[1]);

test("FORCE_COLOR=0 takes the colour away, any other value forces it, and an option comes before both", () => {
  for (const isTerminal of [true, false]) {
    expect(wanted(isTerminal, { FORCE_COLOR: "0" })).toBe(false);
    expect(wanted(isTerminal, { FORCE_COLOR: "1" })).toBe(true);
    expect(wanted(isTerminal, { FORCE_COLOR: "" })).toBe(isTerminal);
    expect(wanted(isTerminal, { FORCE_COLOR: "0" }, true)).toBe(true);
  }
});
