import { fc } from "../harness/property.js";
import { describe, expect, it } from "vitest";
import { renderDiagnosticsText } from "../../src/render/diagnostics/diagnostics-text.js";
import type { Diagnostic } from "../../src/generated/diagnostics.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";

const unknown: Diagnostic = {
  code: "reference-unknown",
  severity: "error",
  message: "`policy:strikt` is no document of this workspace",
  hint: "did you mean `policy:strict`?",
  file: "agents/support.yaml",
  line: 14,
  column: 22,
  frame: "  13 | config:\n  14 | \tpolicy_id: ${policy:strikt}\n     | \t           ^\n",
  related: [
    { message: "a document of that name stood here", file: "policies/strict.yaml", line: 4, column: 9 },
    { message: "nowhere in particular" },
  ],
};

describe("renderDiagnosticsText", () => {
  it("renders a problem with its place, its frame, a hint and other places", () => {
    expect(renderDiagnosticsText([unknown], { color: false })).toBe(
      [
        "error[reference-unknown]: `policy:strikt` is no document of this workspace",
        "  --> agents/support.yaml:14:22",
        "  13 | config:",
        "  14 |  policy_id: ${policy:strikt}",
        "     |             ^",
        "  = hint: did you mean `policy:strict`?",
        "  = see: policies/strict.yaml:4:9: a document of that name stood here",
        "  = see: nowhere in particular",
        "",
        "1 error",
        "",
      ].join("\n"),
    );
  });

  it("counts by severity, and names the resource or nothing where there is no file", () => {
    const others: Diagnostic[] = [
      { code: "protected", severity: "warning", message: "two", address: "policy:strict" },
      { code: "move-done", severity: "note", message: "three" },
      { code: "file-missing", severity: "error", message: "four", file: "a.yaml" },
    ];
    expect(
      renderDiagnosticsText([unknown, ...others], { color: false })
        .split("\n")
        .slice(9),
    ).toEqual([
      "warning[protected]: two",
      "  --> policy:strict",
      "",
      "note[move-done]: three",
      "",
      "error[file-missing]: four",
      "  --> a.yaml",
      "",
      "2 errors, 1 warning, 1 note",
      "",
    ]);
  });

  it("renders nothing when there is nothing", () => {
    expect(renderDiagnosticsText([], { color: false })).toBe("");
  });

  it("colours the severity", () => {
    expect(renderDiagnosticsText([unknown], { color: true })).toMatch(
      /^\u001b\[31merror\[reference-unknown\]\u001b\[39m: /,
    );
  });

  it("lets no hidden character through, and no text of a message at the start of a line", () => {
    const diagnostic = fc.record<Diagnostic>({
      code: hostileText,
      severity: fc.constantFrom("error", "warning", "note"),
      message: hostileText,
      hint: hostileText,
      file: hostileText,
      frame: hostileText,
      related: fc.array(fc.record({ message: hostileText, file: hostileText }), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(diagnostic, (each) => {
        expect(renderDiagnosticsText([each], { color: false })).not.toMatch(hiddenCharacter);
        const { frame: _frame, ...rest } = each;
        const lines = renderDiagnosticsText([rest], { color: false }).trimEnd().split("\n");
        expect(lines.filter((line) => /^\S/.test(line))).toHaveLength(2);
      }),
    );
  });
});

it("shows warnings that say the same once, with their places, and every error", () => {
  const places = Array.from({ length: 14 }, (_, index) => ({
    file: `agents/a${index}.yaml`,
    line: 1,
    column: 2,
  }));
  const warnings = places.map((place) => ({
    code: "variable-unused",
    severity: "warning" as const,
    message: "`x` is unused",
    hint: "remove it",
    ...place,
  }));
  const text = renderDiagnosticsText(warnings, { color: false });
  expect(text.match(/is unused/g)).toHaveLength(1);
  expect(text.match(/remove it/g)).toHaveLength(1);
  expect(text).toContain("  --> agents/a0.yaml:1:2\n  --> agents/a1.yaml:1:2\n");
  expect(text).toContain("  --> and 3 more places\n");
  expect(text.endsWith("\n14 warnings\n")).toBe(true);
  const errors = warnings.map((warning) => ({ ...warning, severity: "error" as const }));
  expect(renderDiagnosticsText(errors, { color: false }).match(/is unused/g)).toHaveLength(14);
});
