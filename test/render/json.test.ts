import { fc } from "../harness/property.js";
import { describe, expect, it } from "vitest";
import { renderSummaryLine, renderVersionLine } from "../../src/render/apply/apply-json.js";
import { renderDiagnosticsJson } from "../../src/render/diagnostics/diagnostics-json.js";
import type { Plan } from "../../src/core/plan/plan.js";
import { withoutReview } from "../../src/core/review/reviewed-plan.js";
import { jsonLine } from "../../src/render/words/json-text.js";
import { hostilePlan } from "./hostile-plan.js";
import { hiddenCharacter } from "./hostile-text.js";
import { planJson } from "../harness/plan-text.js";

describe("renderPlanJson", () => {
  it("renders the plan without the whole documents and without hidden characters", () => {
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        const text = planJson({
          ...plan,
          documents: { "toolset:a": { openapi_schema: { openapi: "3.1.0" } } },
        });
        expect(text).not.toMatch(hiddenCharacter);
        expect(text.startsWith('{\n  "format": "agentform/plan/v1",\n')).toBe(true);
        expect(text.endsWith("}\n")).toBe(true);
        const shown = JSON.parse(text) as Plan;
        expect(withoutReview(shown)).toEqual(JSON.parse(JSON.stringify(plan)));
        expect(shown).toHaveProperty("groups");
        expect(shown).toHaveProperty("edits");
      }),
    );
  });
});

describe("renderDiagnosticsJson", () => {
  it("renders the format first and leaves the frame out", () => {
    const diagnostic = {
      code: "yaml-syntax",
      severity: "error",
      message: "no\u202e",
      file: "a.yaml",
      line: 1,
      column: 2,
    } as const;
    const text = renderDiagnosticsJson([{ ...diagnostic, frame: "1 | a" }]);
    expect(text.startsWith('{\n  "format": "agentform/diagnostics/v1",\n  "diagnostics": [\n')).toBe(true);
    expect(text.endsWith("}\n")).toBe(true);
    expect(text).not.toMatch(hiddenCharacter);
    expect(JSON.parse(text)).toEqual({ format: "agentform/diagnostics/v1", diagnostics: [diagnostic] });
  });
});

describe("an apply as NDJSON", () => {
  it("is one line for the version, each event and the summary", () => {
    expect(renderVersionLine("1.2.3")).toBe(
      '{"type":"version","format":"agentform/apply/v1","version":"1.2.3"}\n',
    );
    const event = { type: "skipped", address: "agent:a", action: "create", because: "x\n\u009b" };
    expect(jsonLine(event)).toBe(
      '{"type":"skipped","address":"agent:a","action":"create","because":"x\\n\\u009b"}\n',
    );
    expect(renderSummaryLine({ done: 1, failed: 0, unknown: 0, skipped: 2, blocked: 0 })).toBe(
      '{"type":"summary","done":1,"failed":0,"unknown":0,"skipped":2,"blocked":0}\n',
    );
  });
});
