import { expect, test } from "vitest";
import { safeLine } from "../../../src/render/words/terminal-text.js";
import { isId } from "../../../src/core/kind/id.js";
import { excerpt } from "../../../src/core/finding/invisible.js";

const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
// What every version of Unicode that runs the tests knows to be hidden.
const hidden = all.filter((char) =>
  /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u.test(char),
);

test("no character that is hidden, controls or turns text is part of an ID", () => {
  expect(hidden.filter((char) => isId(`a${char}b`))).toEqual([]);
});

test("nor does it reach a terminal, a comment or a page as it is", () => {
  expect(hidden.filter((char) => safeLine(`a${char}b`).includes(char))).toEqual([]);
  expect(hidden.filter((char) => excerpt(`a${char}b`, 99).includes(char))).toEqual([]);
});

test("what can be seen stays, the selectors of emoji with their emoji", () => {
  const text = "a b é/漢?#% 😀 ❤️ ☎︎ 1️⃣ ©️ ش";
  expect(safeLine(text)).toBe(text);
  expect(safeLine("1\ufe0f2")).toBe("1\\u{fe0f}2");
  for (const id of ["__proto__", ".", ".."]) expect(isId(id)).toBe(false);
  expect(["a b", " a", "a "].filter(isId)).toEqual(["a b"]);
  for (const id of ["a b", "é/漢?#%", "...", "😀"]) expect(isId(id)).toBe(true);
});

test("an ID has no space but the common one", () => {
  const spaces = all.filter((char) => /\p{Zs}/u.test(char) && isId(`a${char}b`));
  expect(spaces).toEqual([" "]);
});
