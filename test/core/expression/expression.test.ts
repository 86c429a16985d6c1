import { expect, test } from "vitest";
import {
  escapeLiteral,
  isExpression,
  parseEnvironmentLocator,
  parseText,
  unescaped,
  splitToolLocator,
} from "../../../src/core/expression/expression.js";

function expressions(text: string) {
  return parseText(text)
    .filter(isExpression)
    .map(({ scheme, locator, offset }) => [scheme, locator, offset]);
}

test("expressions and literals are told apart, with offsets", () => {
  expect(parseText("a ${var:x} b")).toEqual([
    "a ",
    { scheme: "var", locator: "x", source: "${var:x}", offset: 2 },
    " b",
  ]);
  expect(expressions("${env:A}${policy:b}")).toEqual([
    ["env", "A", 0],
    ["policy", "b", 8],
  ]);
});

test.each([
  "${HOME}",
  "${X:-default}",
  "${x:-a}",
  "${x:=a}",
  "${x:?a}",
  "${x:+a}",
  "${}",
  "$",
  "${",
  "${UPPER:x}",
  "{{ x }}",
])("%s is literal", (text) => {
  expect(parseText(text)).toEqual([text]);
});

test("an empty text is one empty literal", () => {
  expect(parseText("")).toEqual([""]);
});

test("$${ is a literal ${, and what stands before it counts for nothing", () => {
  expect(parseText("$${env:X}")).toEqual(["${env:X}"]);
  expect(parseText("$$${env:X}")).toEqual(["$${env:X}"]);
  expect(parseText("a $${ b ${var:x}")[0]).toBe("a ${ b ");
});

test("braces in a locator balance", () => {
  expect(expressions("${toolset:desk/GET /a/{id}/b/{c}} after }")).toEqual([
    ["toolset", "desk/GET /a/{id}/b/{c}", 0],
  ]);
});

test("spaces around a locator do not count", () => {
  expect(expressions("${file: a b.md }")).toEqual([["file", "a b.md", 0]]);
});

test("what looks like an expression and is none says why", () => {
  expect(parseText("x ${var:a\nb}")).toEqual([
    "x ",
    { problem: "unclosed", scheme: "var", source: "${var:a", offset: 2 },
    "\nb}",
  ]);
  expect(parseText("${vra:a}")).toEqual([
    { problem: "unknown-scheme", scheme: "vra", source: "${vra:a}", offset: 0 },
  ]);
  expect(parseText("${var: }")).toEqual([{ problem: "empty", scheme: "var", source: "${var: }", offset: 0 }]);
});

test("a locator of a tool set is split at its first slash", () => {
  expect(splitToolLocator("desk")).toEqual({ key: "desk" });
  expect(splitToolLocator("desk/GET /a/b")).toEqual({ key: "desk", operation: "GET /a/b" });
});

test("a locator of the environment has a name and perhaps a revision", () => {
  expect(parseEnvironmentLocator("A_1")).toEqual({ name: "A_1" });
  expect(parseEnvironmentLocator("A@2024-05")).toEqual({ name: "A", revision: "2024-05" });
  for (const wrong of ["1A", "A-B", "A@", "A B", ""]) expect(parseEnvironmentLocator(wrong)).toBeUndefined();
});

test("a literal that was escaped reads as it was", () => {
  for (const text of ["${env:X}", "$${", "$", "a ${ b", "$$$${x:y}"]) {
    expect(parseText(escapeLiteral(text))).toEqual([text]);
    expect(unescaped(escapeLiteral(text))).toBe(text);
  }
});
