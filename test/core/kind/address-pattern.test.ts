import { expect, test } from "vitest";
import { effort } from "../../harness/effort.js";
import { addressPatterns } from "../../../src/core/kind/address-pattern.js";
import { wholeTest } from "../../harness/tier.js";

const languages = ["de", "fr", "it", "es", "pt-br"];
const of = (form: (language: string) => string) => languages.map(form);

function texts(addresses: readonly string[], others?: readonly string[]): string[] {
  return addressPatterns(addresses, others).map(({ pattern, count }) =>
    count === 1 ? pattern : `${count} ${pattern}`,
  );
}

test("addresses of one form are a pattern with their number", () => {
  expect(texts(of((each) => `agent:desk-${each}`))).toEqual(["5 agent:desk-*"]);
  expect(texts(of((each) => `toolset:${each}-shop`))).toEqual(["5 toolset:*-shop"]);
  expect(texts(of((each) => `policy:help_${each}.v2`))).toEqual(["5 policy:help_*.v2"]);
});

test("kinds are apart, and addresses that are left over stay as they are", () => {
  const all = [...of((each) => `agent:desk-${each}`), ...of((each) => `policy:desk-${each}`), "agent:phones"];
  expect(texts(all)).toEqual(["5 agent:desk-*", "agent:phones", "5 policy:desk-*"]);
  expect(texts(["agent:desk-de", "agent:desk-fr"])).toEqual(["agent:desk-de", "agent:desk-fr"]);
  expect(texts([])).toEqual([]);
});

test("no pattern matches an address that is not among them", () => {
  const desks = of((each) => `agent:desk-${each}`);
  expect(texts(desks, ["agent:desk-nl"])).toEqual(desks.toSorted());
  const both = [...of((each) => `agent:desk-${each}-chat`), ...of((each) => `agent:desk-${each}-mail`)];
  expect(texts(both, ["agent:desk-nl-mail", "policy:desk-nl-chat"])).toEqual([
    "5 agent:desk-*-chat",
    ...of((each) => `agent:desk-${each}-mail`).toSorted(),
  ]);
});

test("a whole kind is a pattern where all others are known", () => {
  const mixed = ["agent:phones", "agent:desk", "agent:chat"];
  expect(texts(mixed, ["policy:strict"])).toEqual(["3 agent:*"]);
  expect(texts(mixed)).toEqual(["agent:chat", "agent:desk", "agent:phones"]);
  expect(texts(mixed, ["agent:mail"])).toEqual(["agent:chat", "agent:desk", "agent:phones"]);
});

test("an address counts once, in the pattern that stands for the most", () => {
  const addresses = [...of((each) => `agent:desk-${each}`), "agent:web-de", "agent:app-de", "agent:tv-de"];
  expect(texts(addresses)).toEqual(["5 agent:desk-*", "3 agent:*-de"]);
});

wholeTest("many addresses without anything in common take no long", () => {
  const effortOf = (count: number) => {
    const all = Array.from(
      { length: count },
      (_, index) => `agent:a${index % 997}-b${index % 991}-c${index}`,
    );
    return effort(() => addressPatterns(all));
  };
  effortOf(4000);
  expect(effortOf(16_000)).toBeLessThan(20 * effortOf(4000) + 50);
});
