import { describe, expect, it } from "vitest";
import { code, fence, prose } from "../../src/render/markdown/markdown-text.js";
import { renderPlanMarkdown } from "../../src/render/markdown/plan-markdown.js";
import { safeLine } from "../../src/render/words/terminal-text.js";
import type { Plan } from "../../src/generated/plan.js";
import { fc } from "../harness/property.js";
import { hostilePlan } from "./hostile-plan.js";
import { hiddenCharacter } from "./hostile-text.js";
import { htmlOf, tagsOf, textOf, textOutsideCode } from "./markdown-html.js";

const fragments = [
  "@octocat",
  "@org/team",
  "#123",
  "GH-1",
  "org/repo#5",
  "octo/repo@1234567",
  "0123456789abcdef0123456789abcdef01234567",
  "https://evil.example/x",
  "www.evil.example",
  "a@b.example",
  ":rocket:",
  "[^1]",
  "[^1]: note",
  "[ ] task",
  "$x^2$",
  "$$x$$",
  "$`x`$",
  "::error::boom",
  "\n::error::boom",
  "##[error]boom",
  "<script>alert(1)</script>",
  "<b>",
  "</details>",
  "<details>",
  "</summary>",
  "<!--",
  "-->",
  "|",
  "\\|",
  "\\",
  "`",
  "``",
  "```",
  "`".repeat(90),
  "~~~~",
  "\n\n# head",
  "---",
  "- item",
  "+ x",
  "@@ -1 +1 @@",
  "![i](https://evil.example/i.png)",
  "[l](javascript:x)",
  "[l]: https://evil.example",
  "&lt;b&gt;",
  "&#64;octocat",
  "*b*",
  "__i__",
  "~~s~~",
  "!5",
  "&7",
  "/close",
  "1. one",
  "    code",
  "%5",
  "word",
  "two words",
  " ",
];

const own =
  /^<\/?(?:h3|p|ul|li|strong|table|thead|tbody|tr|th|td|details|summary|code|pre)>$|^<code class="language-diff">$/;

/** Plans whose every text has something in it that Markdown or a code host gives a meaning to. */
const markdownPlan: fc.Arbitrary<Plan> = fc
  .tuple(hostilePlan, fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 12 }))
  .map(([plan, pieces]) => {
    let next = 0;
    const spoil = (value: unknown, key = ""): unknown => {
      if (typeof value === "string") {
        if (["format", "action", "edit", "effect", "severity"].includes(key)) return value;
        return (
          value +
          [pieces[next++ % pieces.length], pieces[next++ % pieces.length]].join(next % 3 === 0 ? " " : "")
        );
      }
      if (Array.isArray(value)) return value.map((item) => spoil(item));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)]));
    };
    const diagnostics = ["error", "warning"].map((severity) => ({
      code: "c",
      severity,
      message: "m",
      hint: "h",
      file: "f",
    }));
    return spoil({ ...plan, diagnostics }) as Plan;
  });

// What is shown of a text in code, where a command of the log and more backticks than hosts count are made inert.
function shown(text: string): string {
  return safeLine(text)
    .replace(/##(?=\[)/g, "#\\x23")
    .replace(/(`{40})`/g, "$1\\x60");
}

describe("a plan of hostile texts as Markdown", () => {
  it("has no tags but its own, and each is closed", () => {
    fc.assert(
      fc.property(markdownPlan, (plan) => {
        const html = htmlOf(renderPlanMarkdown(plan));
        expect(html.match(/<!--/g)).toHaveLength(1);
        const tags = tagsOf(html.replace(/<!-- agentform: \S+( \S+)? -->/, ""));
        expect(tags.filter((tag) => !own.test(tag))).toEqual([]);
        const open: string[] = [];
        for (const tag of tags) {
          const name = tag.replace(/[<>/]| .*/g, "");
          if (tag.startsWith("</")) expect(open.pop()).toBe(name);
          else open.push(name);
        }
        expect(open).toEqual([]);
      }),
    );
  });

  it("mentions nobody, refers to nothing and has no formula outside of code", () => {
    fc.assert(
      fc.property(markdownPlan, (plan) => {
        const text = textOutsideCode(htmlOf(renderPlanMarkdown(plan)));
        expect(text).not.toMatch(/[@#$[\]<>~*_\\`&!%^]|:\/\/|www\.|[A-Za-z]+-\d|[\da-f]{7}|:\w+:|\w\.\w/i);
      }),
    );
  });

  // With more, the parsers of GitHub and GitLab show all that is meant as code as Markdown and HTML.
  it("has never more than 80 backticks in a row", () => {
    fc.assert(
      fc.property(markdownPlan, (plan) => {
        expect(renderPlanMarkdown(plan)).not.toMatch(/`{81}/);
      }),
    );
  });

  it("runs no command of the log, and hides nothing", () => {
    fc.assert(
      fc.property(markdownPlan, (plan) => {
        const text = renderPlanMarkdown(plan);
        expect(text).not.toMatch(hiddenCharacter);
        expect(text).not.toMatch(/^\s*::/m);
        expect(text).not.toContain("##[");
      }),
    );
  });

  it("has every guardrail note, and names every resource", () => {
    fc.assert(
      fc.property(markdownPlan, (plan) => {
        const html = htmlOf(renderPlanMarkdown(plan));
        const items = [...html.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = ""]) => textOf(item));
        for (const { address } of plan.notes) {
          expect(items.some((item) => item.includes(shown(address)))).toBe(true);
        }
        const shownCode = new Set(
          [...html.matchAll(/<code>(.*?)<\/code>/gs)].map(([, text = ""]) => textOf(text)),
        );
        for (const { address } of plan.actions) {
          if (!address.includes("|")) expect(shownCode).toContain(shown(address));
        }
      }),
    );
  });

  it("has nothing in its differences that begins like a change and is none", () => {
    fc.assert(
      fc.property(markdownPlan, (plan) => {
        const html = htmlOf(renderPlanMarkdown(plan));
        const lines = [...html.matchAll(/<pre><code class="language-diff">(.*?)\n<\/code><\/pre>/gs)].flatMap(
          ([, block = ""]) => textOf(block).split("\n"),
        );
        expect(lines.filter((line) => !/^(?:[-+](?: |$)|  |$|@@ .* @@$)/.test(line))).toEqual([]);
      }),
    );
  });

  it("is never longer than it may be, and has its marker at the end", () => {
    fc.assert(
      fc.property(markdownPlan, fc.integer({ min: 4000, max: 12_000 }), (plan, maxBytes) => {
        const text = renderPlanMarkdown(plan, { maxBytes });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(text).toMatch(/\n<!-- agentform: \S+( \S+)? -->\n$/);
        const html = htmlOf(text);
        expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
      }),
    );
  });
});

describe("code", () => {
  it("shows any text as it is, alone and in a table", () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 4 })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const line = parts.join("");
        expect(textOf(htmlOf(`x ${code(line)} y`))).toBe(`x ${shown(line)} y`);
        const table = htmlOf(`| a | b |\n|---|---|\n| ${code(line)}. | z |`);
        expect(textOf(/<td>(.*?)<\/td>/s.exec(table)?.[1] ?? "")).toBe(`${shown(line)}.`);
        expect(table).toContain("<td>z</td>");
      }),
    );
  });
});

describe("prose", () => {
  it("leaves words as they are, and shows everything else as code", () => {
    expect(prose("the agent no longer refers to it, nor to 3 others (so be it).")).toBe(
      "the agent no longer refers to it, nor to 3 others (so be it).",
    );
    expect(prose("gains `deleteTicket` (DELETE /tickets/{id}) of toolset:desk, which writes")).toBe(
      "gains `deleteTicket` (DELETE `/tickets/{id}`) of `toolset:desk`, which writes",
    );
    expect(prose("the fields (`a`, `b_c`), and @octocat #5")).toBe(
      "the fields (`a`, `b_c`), and `@octocat #5`",
    );
    expect(prose("deadbeef GH-1 v2 0.5 12345678")).toBe("`deadbeef GH-1 v2 0.5 12345678`");
    expect(prose("")).toBe("");
  });

  it("begins no list with a number", () => {
    expect(htmlOf(prose("1. one"))).not.toContain("<ol");
    expect(htmlOf(prose("2) two"))).not.toContain("<ol");
  });
});

describe("fence", () => {
  it("is longer than any in it", () => {
    expect(fence(["a", "  ````"])).toBe("`````diff\na\n  ````\n`````");
    expect(fence(["a"])).toBe("```diff\na\n```");
  });
});
