import { assert, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, Redaction } from "../../src/service/redaction.js";
import { Secret } from "../../src/service/secret.js";

const VALUE = `p/w "é&<ü'+1\n`;
function redacting(...values: readonly string[]): (text: string) => string {
  const redaction = new Redaction();
  redaction.add(values.map((value) => new Secret(value)));
  return (text) => redaction.redact(text);
}

const redact = redacting(VALUE, "plain-key");
const url = encodeURIComponent(VALUE);

describe("a redaction", () => {
  it.each([
    ["raw", VALUE],
    ["without the space around it", VALUE.trim()],
    ["in JSON", JSON.stringify(VALUE)],
    ["in JSON of ASCII", '"p/w \\"\\u00e9&<\\u00fc\'+1\\n"'],
    ["in JSON with slashes escaped", '"p\\/w \\"é&<ü\'+1\\n"'],
    ["in JSON of ASCII with slashes escaped", '"p\\/w \\"\\u00e9&<\\u00fc\'+1\\n"'],
    ["in JSON for pages", '"p/w \\"é\\u0026\\u003cü\'+1\\n"'],
    ["in cautious JSON", '"p/w \\u0022\\u00E9\\u0026\\u003C\\u00FC\\u0027\\u002B1\\n"'],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(VALUE))],
    ["URL-encoded", url],
    ["URL-encoded in lower case", url.replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", new URLSearchParams({ v: VALUE }).toString()],
    ["in HTML", "p/w &quot;é&amp;&lt;ü&#39;+1"],
    ["in HTML in JSON", JSON.stringify("p/w &quot;é&amp;&lt;ü'+1\n")],
    ["in base64", Buffer.from(VALUE).toString("base64")],
    ["in base64 for URLs", Buffer.from(VALUE).toString("base64url")],
  ])("finds a value %s", (_form, text) => {
    const redacted = redact(`before ${text} after`);
    expect(redacted).toMatch(/^before .*\[secret\].* after$/s);
    expect(redacted).not.toContain("w");
  });

  it("leaves nothing but what it shares of a value inside longer base64", () => {
    const inside = tuple(string({ unit: "grapheme-ascii", minLength: 8 }), string(), string());
    assert(
      property(inside, ([value, before, after]) => {
        const text = Buffer.from(before + value + after).toString("base64");
        expect(redacting(value)(text)).toContain("[secret]");
      }),
    );
  });

  it("finds every secret and leaves the rest", () => {
    expect(redact("a plain-key, plain-key; b")).toBe("a [secret], [secret]; b");
  });

  it("is not led astray by one value inside another", () => {
    expect(redacting("abc", "abcdef")("xabcdefx")).toBe("x[secret]x");
  });
});

describe("what a redaction learns", () => {
  it("counts from then on, and in the right order", () => {
    const redaction = new Redaction();
    redaction.add([new Secret("abc")]);
    expect(redaction.redact("abcdef")).toBe("[secret]def");
    redaction.add([new Secret("abcdef"), new Secret("abc")]);
    expect(redaction.redact("abcdef abc")).toBe("[secret] [secret]");
  });

  it("taints a text only where it is too long to be there by chance", () => {
    const redaction = new Redaction();
    redaction.add([new Secret("1234567"), new Secret("abcd/fgh")]);
    expect(redaction.taints("id-1234567")).toBe(false);
    expect(redaction.taints("id-abcd%2Ffgh-1")).toBe(true);
    expect(redaction.redact("id-1234567")).toBe("id-[secret]");
  });
});

describe("excerpt", () => {
  it("escapes controls, turns of direction and line ends, and no letters", () => {
    expect(excerpt("a\u001b[31m\n\u202e\u0085é漢", 99)).toBe("a\\u001b[31m\\u000a\\u202e\\u0085é漢");
  });

  it("cuts, but not through a character", () => {
    expect(excerpt("abc", 2)).toBe("ab");
    expect(excerpt("a😀", 2)).toBe("a");
  });
});
