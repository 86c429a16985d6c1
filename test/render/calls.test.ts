import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/generated/plan.js";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { renderPlanText } from "../../src/render/plan/plan-text.js";
import { callsItems } from "../../src/render/view/calls-texts.js";

const file = new URL("../fixtures/render/plans/calls-and-keys/plan.json", import.meta.url);
const plan = JSON.parse(readFileSync(file, "utf8")) as Plan;

const forms: Readonly<Record<string, (shown: Plan) => string>> = {
  text: (shown) => renderPlanText(shown, { color: false }),
  markdown: (shown) => renderPlanMarkdown(shown, {}),
  html: (shown) => renderPlanHtml(shown),
};

describe.each(Object.entries(forms))("where calls and keys go, as %s", (_, render) => {
  it("names every address before and after, with the secrets that are sent along", () => {
    const text = render(plan);
    for (const part of [
      "Where calls and keys go",
      "https://weather.example.com/v1",
      "https://evil.example/v1",
      "http://weather.example.com/v1",
      "https://evil.example/token",
      "https://evil.example/hook",
      "https://xn--wather-3of.example.com/v2",
      "w\u0435ather.example.com",
      "default_headers.x-api-key",
      "WEATHER_KEY",
    ])
      expect(text).toContain(part);
  });

  it("is not there where nothing of it changes", () => {
    const { calls: _calls, ...others } = plan;
    expect(render(others)).not.toContain("sent along: `default_headers.x-api-key` (`WEATHER_KEY`)");
  });
});

describe("the addresses of calls", () => {
  const side = (address: string, operations: number) => ({ servers: [{ address, operations }] });

  it("are there once for all tool sets of which they are the same, and new tool sets are last", () => {
    const after = side("https://b.example", 2);
    const calls = [
      { toolset: "toolset:new", after },
      { toolset: "toolset:a", before: side("https://a.example", 1), after },
      { toolset: "toolset:b", before: side("https://a.example", 4), after: side("https://b.example", 4) },
    ];
    expect(callsItems({ ...plan, calls }).map(({ text }) => text)).toEqual([
      "`toolset:a`, `toolset:b`; calls: `https://a.example` (5 operations) → `https://b.example` (6 operations)",
      "`toolset:new`; calls: `https://b.example` (2 operations)",
    ]);
  });

  it("are said to have no host", () => {
    const calls = [{ toolset: "toolset:a", after: side("/v1", 1) }];
    expect(callsItems({ ...plan, calls }).map(({ text }) => text)).toEqual([
      "`toolset:a`; calls: `/v1` (no host, 1 operation)",
    ]);
  });

  it("are not said to have none where a variable may be the host", () => {
    const calls = [{ toolset: "toolset:a", after: side("{base}/v1", 1) }];
    expect(callsItems({ ...plan, calls }).map(({ text }) => text)).toEqual([
      "`toolset:a`; calls: `{base}/v1` (1 operation)",
    ]);
  });
});
