import { describe, expect, it } from "vitest";
import { fc } from "../harness/property.js";
import { safeDifference, safeJson, safeLine, safeText } from "../../src/render/words/terminal-text.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";

describe("safeLine", () => {
  it.each([
    ["\u001b[31mred", "\\x1b[31mred"],
    ["\u001b]8;;https://e.example\u0007link", "\\x1b]8;;https://e.example\\x07link"],
    ["a\u009b31m\u007f", "a\\u{9b}31m\\x7f"],
    ["\u202etxt.exe\u2066\u061c\u200f", "\\u{202e}txt.exe\\u{2066}\\u{61c}\\u{200f}"],
    ["a\u200b\u200d\u2060\ufeff\u00adb", "a\\u{200b}\\u{200d}\\u{2060}\\u{feff}\\u{ad}b"],
    ["x\u{e0041}\u{e007f}", "x\\u{e0041}\\u{e007f}"],
    ["\ud83d|\ude00", "\\u{d83d}|\\u{de00}"],
    ["one\ntwo\r\n\tthree\u0000", "one\\ntwo\\r\\n\\tthree\\x00"],
  ])("shows %j as %j", (text, shown) => {
    expect(safeLine(text)).toBe(shown);
  });

  it("leaves what can be seen as it is", () => {
    const text = "Grüße, 日本語, العربية, 👋🏽, ❤️, “quotes” – \\x1b";
    expect(safeLine(text)).toBe(text);
  });
});

describe("safeText", () => {
  it("keeps line ends, and makes a tab one space so that what stands below it stays in line", () => {
    expect(safeText("a:\tb\r\n  \t^\u001b\n")).toBe("a: b\n   ^\\x1b\n");
  });
});

describe("safeDifference", () => {
  it("keeps tabs alone", () => {
    expect(safeDifference("\ta\u0007\n")).toBe("\ta\\x07\\n");
  });
});

describe("safeJson", () => {
  it("escapes what JSON leaves raw, and keeps the value", () => {
    fc.assert(
      fc.property(fc.dictionary(hostileText, hostileText), (value) => {
        const text = safeJson(JSON.stringify(value, null, 2));
        expect(text).not.toMatch(hiddenCharacter);
        expect(JSON.parse(text)).toEqual(value);
      }),
    );
  });
});
