import { describe, expect, test } from "vitest";
import { error } from "../../../src/core/finding/diagnostic.js";
import { didYouMean } from "../../../src/core/finding/nearest.js";
import { bare, say } from "../../../src/core/finding/said.js";

describe("a sentence", () => {
  test("gives a finding what it is about as data, and the changes that it proposes", () => {
    const hint = say`${didYouMean("modle", ["model"], "var:") ?? ""} Or declare it`;
    expect(error("variable-unknown", undefined, say`variable ${{ name: "modle" }} is unknown`, hint)).toEqual(
      {
        severity: "error",
        code: "variable-unknown",
        message: "variable `modle` is unknown",
        hint: "did you mean `model`? Or declare it",
        parts: { name: "modle", meant: "model" },
        fixes: [{ type: "change", from: "var:modle", to: "var:model" }],
      },
    );
  });

  test("has no password of an address, neither in its words nor in its data", () => {
    const said = say`cannot read ${{ url: "https://me:pass@example.com/x" }}`;
    expect(JSON.stringify(said)).not.toContain("pass");
    expect(said.text).toContain("@example.com/x");
  });

  test("may write what is data in another way than in quotes", () => {
    const said = say`at most ${bare({ limit: 1000 }, "1,000")} of ${bare({ files: ["a", "b"] })} at ${{ field: "x" }}`;
    expect(said.text).toBe("at most 1,000 of a, b at `x`");
    expect(said.parts).toEqual({ limit: 1000, files: ["a", "b"], field: "x" });
    expect(JSON.stringify(bare({ url: "https://me:pass@example.com/x" }, "there").parts)).not.toContain(
      "pass",
    );
  });

  test("has no more of a long text than a reader needs to know it, also in a list", () => {
    const long = "a".repeat(10_000);
    const cut = `${"a".repeat(500)}…`;
    expect(say`unknown ${{ field: long }} in ${{ files: [long] }}`.parts).toEqual({
      field: cut,
      files: [cut],
    });
  });

  test("without data gives a finding none", () => {
    expect(error("variable-unknown", undefined, "m")).toEqual({
      severity: "error",
      code: "variable-unknown",
      message: "m",
    });
  });
});
