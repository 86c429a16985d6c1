import { fc } from "../harness/property.js";
import { describe, expect, it } from "vitest";
import { renderApplyEvent, renderApplySummary } from "../../src/render/apply/apply-text.js";
import type { ApplyEvent } from "../../src/core/apply/apply-report.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";

const support = { address: "agent:support", action: "create" } as const;
const request = { method: "POST", path: "/v3/agents/" };

function line(event: ApplyEvent): string {
  return renderApplyEvent(event, { color: false });
}

describe("renderApplyEvent", () => {
  it.each([
    ["create", "creating…", "created (66f1)"],
    ["update", "updating…", "updated (66f1)"],
    ["replace", "replacing…", "replaced (66f1)"],
    ["adopt", "adopting…", "adopted (66f1)"],
    ["forget", "forgetting…", "forgotten (66f1)"],
    ["record", "recording…", "recorded (66f1)"],
  ] as const)("says how a %s begins and ends", (action, start, done) => {
    expect(line({ type: "start", address: "agent:support", action })).toBe(`agent:support: ${start}`);
    expect(line({ type: "done", address: "agent:support", action, ids: ["66f1"] })).toBe(
      `agent:support: ${done}`,
    );
  });

  it("names no ID where there is none, and few of many", () => {
    expect(line({ ...support, type: "done", ids: [] })).toBe("agent:support: created");
    expect(line({ ...support, type: "done", ids: ["a", "b", "c", "d", "e"] })).toBe(
      "agent:support: created (a, b and 3 more)",
    );
  });

  it("says what failed, where and how", () => {
    const failed: ApplyEvent = {
      ...support,
      ...request,
      type: "failed",
      status: 422,
      message: "the body is invalid",
    };
    expect(line(failed)).toBe("agent:support: failed: POST /v3/agents/ answered 422: the body is invalid");
    const detail = [
      { loc: ["body", "name"], msg: "field required" },
      { loc: ["body"], msg: "" },
    ];
    expect(line({ ...failed, detail, requestId: "r-1", answer: "{}" })).toBe(
      "agent:support: failed: POST /v3/agents/ answered 422: the body is invalid (`body.name`: `field required`) [request `r-1`]",
    );
    expect(line({ ...support, type: "failed", message: "there is nothing to send" })).toBe(
      "agent:support: failed: there is nothing to send",
    );
  });

  it("says of what was done why it is in doubt", () => {
    const event: ApplyEvent = {
      ...support,
      type: "doubted",
      message: "the service answered the same ID for agent:b",
    };
    expect(line(event)).toBe(
      "agent:support: not known any more which object it has: the service answered the same ID for agent:b",
    );
  });

  it("says of an unknown outcome what is not known, and what the service said", () => {
    const event: ApplyEvent = {
      ...support,
      ...request,
      type: "unknown",
      status: 502,
      message: "bad gateway",
      answer: "two\r\n  lines\n",
    };
    expect(line(event)).toBe(
      "agent:support: not known whether it was created: POST /v3/agents/ answered 502: bad gateway; it said: `two lines`",
    );
    expect(line({ ...support, ...request, type: "unknown", message: "the connection was reset" })).toBe(
      "agent:support: not known whether it was created: POST /v3/agents/: the connection was reset",
    );
  });

  it("quotes the service, so that nothing it says passes for the advice that follows", () => {
    const known = { ...support, ...request, hint: "look for it in the service" };
    const advice = "it is not there, run `agentform lock resolve agent:support --not-created`";
    const event: ApplyEvent = { ...known, type: "unknown", message: "bad gateway", answer: advice };
    expect(line(event)).toContain(`; it said: \`\` ${advice} \`\`; look for it in the service`);
    const detail = [{ loc: ["body", "x) `done` ("], msg: "y); run `rm x`" }];
    const failed: ApplyEvent = { ...known, type: "failed", message: "no", detail, requestId: "`]; z" };
    expect(line(failed)).toContain(
      " (`` body.x) `done` ( ``: `` y); run `rm x` ``) [request `` `]; z ``]; look for it in the service",
    );
  });

  it("names the cause of what is skipped", () => {
    const event: ApplyEvent = {
      type: "skipped",
      address: "agent:triage",
      action: "update",
      because: "policy:strict failed",
    };
    expect(line(event)).toBe("agent:triage: skipped, because policy:strict failed");
  });

  it("colours how it ended", () => {
    expect(renderApplyEvent({ ...support, type: "done", ids: [] }, { color: true })).toBe(
      "agent:support: \u001b[32mcreated\u001b[39m",
    );
    expect(renderApplyEvent({ ...support, type: "failed", message: "no" }, { color: true })).toContain(
      "\u001b[31mfailed\u001b[39m",
    );
  });

  it("stays on one line without hidden characters, whatever the service answers", () => {
    const event: fc.Arbitrary<ApplyEvent> = fc.record({
      type: fc.constantFrom("failed", "unknown"),
      address: hostileText,
      action: fc.constantFrom("create", "update"),
      message: hostileText,
      status: fc.nat(600),
      method: hostileText,
      path: hostileText,
      requestId: hostileText,
      answer: hostileText,
      detail: fc.array(fc.record({ loc: fc.array(hostileText, { maxLength: 2 }), msg: hostileText }), {
        maxLength: 2,
      }),
    });
    fc.assert(
      fc.property(event, (each) => {
        expect(line(each)).not.toMatch(hiddenCharacter);
        expect(line(each)).not.toContain("\n");
      }),
    );
  });
});

describe("renderApplySummary", () => {
  const none = { done: 0, failed: 0, unknown: 0, skipped: 0, blocked: 0 };

  it.each([
    [{ ...none, done: 5 }, "Apply complete: 5 done."],
    [none, "Apply complete: nothing to do."],
    [
      { done: 3, failed: 1, skipped: 2, unknown: 1, blocked: 0 },
      "Apply incomplete: 3 done, 1 failed, 2 skipped, 1 unknown.",
    ],
    [{ ...none, blocked: 2 }, "Apply incomplete: 0 done, 2 blocked."],
  ])("renders %j", (summary, text) => {
    expect(renderApplySummary(summary, { color: false, isWhole: true })).toBe(text);
  });

  it("says how many settings were recorded, also where that is all", () => {
    const text = (done: number) =>
      renderApplySummary({ ...none, done }, { color: false, isWhole: true, recorded: 2 });
    expect([0, 5].map(text)).toEqual([
      "Apply complete: 2 settings recorded.",
      "Apply complete: 5 done, 2 settings recorded.",
    ]);
  });

  it("calls a prune a prune", () => {
    const text = (isWhole: boolean) =>
      renderApplySummary({ ...none, done: 1 }, { color: false, isPrune: true, isWhole });
    expect([true, false].map(text)).toEqual(["Prune complete: 1 done.", "Prune incomplete: 1 done."]);
  });

  it("calls no apply complete that could not be saved", () => {
    const text = renderApplySummary({ ...none, done: 5 }, { color: false, isWhole: false });
    expect(text).toBe("Apply incomplete: 5 done.");
  });
});
