import type { Log, Result } from "sarif";
import { describe, expect, it } from "vitest";
import { renderDiagnosticsSarif } from "../../src/render/diagnostics/diagnostics-sarif.js";
import type { Diagnostic } from "../../src/generated/diagnostics.js";
import { fc } from "../harness/property.js";
import { hostileDiagnostics, placeless, unknownReference } from "./diagnostics-hosts.js";
import { hiddenCharacter } from "./hostile-text.js";
import { checkSarif } from "./sarif-shape.js";

const place = { folder: "teams/care/" };

function logOf(diagnostics: readonly Diagnostic[]): Log {
  return JSON.parse(renderDiagnosticsSarif(diagnostics, place)) as Log;
}

function resultsOf(diagnostics: readonly Diagnostic[]): Result[] {
  return logOf(diagnostics).runs.flatMap(({ results = [] }) => results);
}

describe("renderDiagnosticsSarif", () => {
  it("gives a result with its place, its rule and other places", () => {
    const [result] = resultsOf([unknownReference]);
    expect(result).toEqual({
      ruleId: "reference-unknown",
      ruleIndex: 0,
      level: "error",
      message: {
        text: "`policy:strikt` is no document of this workspace\nHint: did you mean `policy:strict`?",
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "teams/care/agents/support.yaml", uriBaseId: "%SRCROOT%" },
            region: { startLine: 14, startColumn: 22, endLine: 14, endColumn: 38 },
          },
          logicalLocations: [{ fullyQualifiedName: "agent:support", kind: "resource" }],
        },
      ],
      relatedLocations: [
        {
          message: { text: "a document of that name stood here" },
          physicalLocation: {
            artifactLocation: { uri: "teams/care/policies/strict.yaml", uriBaseId: "%SRCROOT%" },
            region: { startLine: 4, startColumn: 9 },
          },
        },
      ],
      partialFingerprints: { "agentform/v1": expect.stringMatching(/^[\da-f]{64}$/) },
    });
  });

  it("names the rules once each, with their meaning, and points at them", () => {
    const all = [unknownReference, placeless, { ...unknownReference, line: 3 }];
    const rules = logOf(all).runs[0]?.tool.driver.rules ?? [];
    expect(rules.map(({ id }) => id)).toEqual(["move-done", "reference-unknown"]);
    expect(rules[1]?.shortDescription?.text).toBe("A reference leads to a document that does not exist.");
    expect(resultsOf(all).map(({ ruleIndex }) => ruleIndex)).toEqual([1, 0, 1]);
  });

  it("places a problem without a file at the manifest, and encodes paths", () => {
    const odd = { ...placeless, file: "agents/a b#ü\ud800.yaml", line: 2 };
    const uris = resultsOf([placeless, odd]).map(
      ({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri,
    );
    expect(uris).toEqual(["teams/care/agentform.yaml", "teams/care/agents/a%20b%23%C3%BC%EF%BF%BD.yaml"]);
  });

  it("has no links in its messages, which are texts of documents as well", () => {
    const text = "unknown field `spec.[click](https://evil.example)`";
    const related = [{ message: text, file: "a.yaml" }];
    const results = resultsOf([{ ...placeless, message: text, hint: text, related }]);
    expect(JSON.stringify(results)).toContain("[click]");
    expect(JSON.stringify(results)).not.toContain("](");
  });

  it("has the form that SARIF asks for", () => {
    const twice = {
      ...unknownReference,
      related: [...(unknownReference.related ?? []), ...(unknownReference.related ?? [])],
    };
    expect(checkSarif(logOf([twice, placeless])), JSON.stringify(checkSarif.errors)).toBe(true);
    expect(checkSarif(logOf([])), JSON.stringify(checkSarif.errors)).toBe(true);
    fc.assert(
      fc.property(hostileDiagnostics, (diagnostics) => {
        const named = diagnostics.map((each) => ({
          ...each,
          message: `m ${each.message}`,
          related: each.related ?? [],
        }));
        expect(renderDiagnosticsSarif(named, place)).not.toMatch(hiddenCharacter);
        const withTexts = named.map((each) => ({
          ...each,
          related: each.related.map((other) => ({ ...other, message: `m ${other.message}` })),
        }));
        expect(checkSarif(logOf(withTexts)), JSON.stringify(checkSarif.errors)).toBe(true);
      }),
    );
  });

  it("is checked by a form that can refuse", () => {
    const [run] = logOf([unknownReference]).runs;
    expect(checkSarif({ version: "2.1.0", runs: [run] })).toBe(false);
    expect(checkSarif({ ...logOf([]), runs: [{ ...run, results: [{ message: { text: "x" } }] }] })).toBe(
      false,
    );
  });
});
