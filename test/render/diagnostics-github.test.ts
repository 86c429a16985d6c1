import { describe, expect, it } from "vitest";
import { renderDiagnosticsGithub } from "../../src/render/diagnostics/diagnostics-github.js";
import type { Diagnostic } from "../../src/generated/diagnostics.js";
import { fc } from "../harness/property.js";
import { hostileDiagnostics, placeless, unknownReference } from "./diagnostics-hosts.js";
import { hiddenCharacter } from "./hostile-text.js";

const place = { folder: "teams/care/" };

function numbered(severity: Diagnostic["severity"], count: number): Diagnostic[] {
  return Array.from({ length: count }, (_, index) => ({
    code: "c",
    severity,
    message: `${severity} ${index}`,
  }));
}

describe("renderDiagnosticsGithub", () => {
  it("annotates the place, and a problem without a file by its address", () => {
    expect(renderDiagnosticsGithub([unknownReference, placeless], place)).toBe(
      "::error file=teams/care/agents/support.yaml,line=14,col=22,title=reference-unknown::`policy:strikt` is no document of this workspace%0AHint: did you mean `policy:strict`?\n" +
        "::notice title=move-done::agent:a: it is done\n",
    );
  });

  it("escapes what would end a property or the line", () => {
    const odd: Diagnostic = {
      code: "c",
      severity: "warning",
      message: "100% of\n::error::x",
      file: "a,b:c%.yaml",
      line: 1,
    };
    expect(renderDiagnosticsGithub([odd], { folder: "" })).toBe(
      "::warning file=a%2Cb%3Ac%25.yaml,line=1,title=c::100%25 of\\n::error::x\n",
    );
  });

  it("gives at most ten, errors first, and counts the others at the end", () => {
    const all = [...numbered("note", 3), ...numbered("warning", 7), ...numbered("error", 8)];
    const lines = renderDiagnosticsGithub(all, place).trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith("::error "))).toHaveLength(8);
    expect(lines.slice(0, 8).every((line) => line.startsWith("::error "))).toBe(true);
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe(
      "::notice title=agentform::8 problems more: 5 warnings, 3 notes. `agentform validate` shows all.",
    );
    expect(renderDiagnosticsGithub(numbered("error", 10), place)).not.toContain("more");
  });

  it("gives one command a line, whatever the texts", () => {
    fc.assert(
      fc.property(hostileDiagnostics, (diagnostics) => {
        const text = renderDiagnosticsGithub(diagnostics, place);
        expect(text).not.toMatch(hiddenCharacter);
        const lines = text === "" ? [] : text.trimEnd().split("\n");
        expect(lines).toHaveLength(Math.min(diagnostics.length, 10) + (diagnostics.length > 10 ? 1 : 0));
        for (const line of lines) {
          expect(line).toMatch(/^::(?:error|warning|notice) (?:(?:file|line|col|title)=[^,:]*,?)+::/);
        }
      }),
    );
  });
});
