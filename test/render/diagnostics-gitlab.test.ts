import { describe, expect, it } from "vitest";
import { renderDiagnosticsGitlab } from "../../src/render/diagnostics/diagnostics-gitlab.js";
import type { Diagnostic } from "../../src/generated/diagnostics.js";
import { fc } from "../harness/property.js";
import { hostileDiagnostics, placeless, unknownReference } from "./diagnostics-hosts.js";
import { hiddenCharacter } from "./hostile-text.js";

const place = { folder: "teams/care/" };

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

function issuesOf(diagnostics: readonly Diagnostic[]): Issue[] {
  return JSON.parse(renderDiagnosticsGitlab(diagnostics, place)) as Issue[];
}

function fingerprintsOf(diagnostics: readonly Diagnostic[]): string[] {
  return issuesOf(diagnostics).map(({ fingerprint }) => fingerprint);
}

describe("renderDiagnosticsGitlab", () => {
  it("gives what a merge request shows of each problem", () => {
    expect(issuesOf([unknownReference, placeless])).toEqual([
      {
        description: "`policy:strikt` is no document of this workspace (hint: did you mean `policy:strict`?)",
        check_name: "reference-unknown",
        fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
        severity: "critical",
        location: { path: "teams/care/agents/support.yaml", lines: { begin: 14 } },
      },
      {
        description: "it is done",
        check_name: "move-done",
        fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
        severity: "info",
        location: { path: "teams/care/agentform.yaml", lines: { begin: 1 } },
      },
    ]);
  });

  it("keeps fingerprints when lines move and problems come and go before", () => {
    const moved = { ...unknownReference, line: 20, column: 1, end_line: 20, end_column: 17 };
    expect(fingerprintsOf([placeless, moved])[1]).toBe(fingerprintsOf([unknownReference])[0]);
  });

  it("gives another fingerprint to another problem, file, and the second of two alike", () => {
    const others = [
      unknownReference,
      unknownReference,
      { ...unknownReference, file: "agents/triage.yaml" },
      { ...unknownReference, message: "another" },
      { ...unknownReference, code: "reference-cycle" },
    ];
    expect(new Set(fingerprintsOf(others)).size).toBe(others.length);
  });

  it("is sound JSON with one fingerprint each, whatever the texts", () => {
    fc.assert(
      fc.property(hostileDiagnostics, (diagnostics) => {
        expect(renderDiagnosticsGitlab(diagnostics, place)).not.toMatch(hiddenCharacter);
        const issues = issuesOf(diagnostics);
        expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(diagnostics.length);
        expect(issues.map(({ location }) => location.lines.begin)).toEqual(
          diagnostics.map(({ file, line }) => (file === undefined ? 1 : (line ?? 1))),
        );
      }),
    );
  });
});
