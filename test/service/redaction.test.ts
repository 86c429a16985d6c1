import { describe, expect, it } from "vitest";
import { excerpt } from "../../src/core/finding/invisible.js";
import { Redaction } from "../../src/service/redaction.js";
import { Secret } from "../../src/service/secret.js";
import { examples, fc } from "../harness/property.js";

const { array, constantFrom, oneof, property, string, tuple } = fc;

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
    fc.assert(
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

type Writer = readonly [name: string, write: (text: string) => string];

const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0");
const units = (text: string, write: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index))).join("");
const characters = (text: string, write: (code: number) => string): string =>
  Array.from(text, (char) => write(char.codePointAt(0) ?? 0)).join("");
const bytes = (text: string): string => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&");

const writers: readonly Writer[] = [
  ["JSON", (text) => JSON.stringify(text).slice(1, -1)],
  ["JSON with slashes escaped", (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/")],
  ["JSON in escapes alone", (text) => units(text, (code) => `\\u${hex(code, 4)}`)],
  ["JSON in upper-case escapes", (text) => units(text, (code) => `\\u${hex(code, 4).toUpperCase()}`)],
  ["a URL", (text) => encodeURIComponent(text)],
  ["a URL in escapes alone", bytes],
  ["a URL in upper-case escapes", (text) => bytes(text).toUpperCase()],
  ["HTML", (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
  ["HTML in numbers alone", (text) => characters(text, (code) => `&#${code};`)],
  ["HTML in long numbers", (text) => characters(text, (code) => `&#000${code};`)],
  ["HTML in hexadecimal numbers", (text) => characters(text, (code) => `&#x${hex(code, 2)};`)],
  ["HTML in upper-case numbers", (text) => characters(text, (code) => `&#X${hex(code, 4).toUpperCase()};`)],
  [
    "a different escape for each character",
    (text) =>
      Array.from(text, (char, index) => {
        const code = char.codePointAt(0) ?? 0;
        const ways = [
          units(char, (unit) => `\\u${hex(unit, 4)}`),
          bytes(char),
          `&#${code};`,
          `&#x${hex(code, 2)};`,
        ];
        return /\w/.test(char) && index % 5 === 4 ? char : (ways[index % 5] ?? ways[0] ?? "");
      }).join(""),
  ],
];

describe("a secret that was escaped", () => {
  const secret = string({
    unit: oneof(
      constantFrom(..."ab1-_./+ \"'<>&é漢😀\n"),
      string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
    ),
    minLength: 8,
  });
  const nesting = array(constantFrom(...writers), { minLength: 1, maxLength: 3 });

  it("is seen through any three layers of escapes, and what is around it stays", () => {
    fc.assert(
      property(secret, nesting, (value, layers) => {
        // Where each character is escaped in its own way, what begins an escape in the secret may meet half of one.
        fc.pre(
          !/[\\%&]/.test(value) || !layers.some(([name]) => name === "a different escape for each character"),
        );
        const escaped = layers.reduce((text, [, write]) => write(text), value);
        expect(redacting(value)(`before: ${escaped}; after`)).toBe("before: [secret]; after");
        const redaction = new Redaction();
        redaction.add([new Secret(value)]);
        if (value.trim().length >= 8) expect(redaction.taints(`id-${escaped}`)).toBe(true);
      }),
      { numRuns: examples(2000) },
    );
  });

  it.each([3, 5, 8])("is seen through %d layers of JSON", (depth) => {
    let text = VALUE;
    for (let layer = 0; layer < depth; layer++) text = JSON.stringify(text);
    expect(redact(text)).toMatch(/^[\\"]*\[secret\][\\"]*$/);
  });

  it.each([
    ["HTML", "a\\/< a a", "a\\/&lt; a a"],
    ["JSON", "aaa%1a\na", "aaa%1a\\na"],
    ["a URL", "&#65;-key", "%26%2365%3B-key"],
  ])("may look like escapes of one kind and be escaped for %s", (_, value, escaped) => {
    expect(redacting(value)(`before: ${escaped}; after`)).toBe("before: [secret]; after");
  });

  it("does not take the text that it stands for once decoded for itself", () => {
    expect(redacting("&#65;")("A or A; &#65; or &#x41;")).toBe("A or A; [secret] or [secret]");
  });

  it("may be one that looks like escapes itself", () => {
    for (const value of [
      "100%41&amp;\\u0042-key",
      "\\\\server\\new",
      "%2541%2542%2543",
      "&#38;#65;&#38;#66;",
    ]) {
      for (const [name, write] of writers) {
        expect(redacting(value)(`before ${write(value)} after`), name).toBe("before [secret] after");
      }
    }
  });

  it("is withheld with all that is around it where there are too many layers to see through", () => {
    let text = VALUE;
    for (let layer = 0; layer < 12; layer++) text = JSON.stringify(text);
    expect(redact(`see ${text}`)).toBe("[secret]");
  });

  it("is masked in a text that is too long to be shown whole", () => {
    const redacted = redact(`${JSON.stringify(VALUE)}${"x".repeat(300_000)}`);
    expect(redacted.startsWith('"[secret]"xxx')).toBe(true);
    expect(redacted.length).toBeLessThan(200_000);
  });

  it("takes nothing of a text without it", () => {
    for (const text of ["100% of a\\b &amp; c\\u0041 &#9999999; %zz \\", "", "plain"])
      expect(redact(text)).toBe(text);
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

  it("escapes what shows as nothing", () => {
    expect(excerpt("a\u3164b\u034fc\ufe0fd\u2800e\u{e0041}f\u{e0100}g", 99)).toBe(
      "a\\u3164b\\u034fc\\ufe0fd\\u2800e\\u{e0041}f\\u{e0100}g",
    );
  });

  it("cuts, but not through a character", () => {
    expect(excerpt("abc", 2)).toBe("ab");
    expect(excerpt("a😀", 2)).toBe("a");
  });
});

describe("a body that is echoed in base64", () => {
  const pem = '-----BEGIN KEY-----\n"k\\9ZÜ-value-of-a-key"\n-----END KEY-----\n';
  const body = JSON.stringify({ credentials: { key: pem } });
  const ascii = body.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

  it.each([
    ["as JSON writes it", body],
    ["in ASCII alone", ascii],
  ])("%s, shows no secret, in one line or in many", (_, text) => {
    const redaction = new Redaction();
    redaction.add([new Secret(pem)]);
    const encoded = Buffer.from(text).toString("base64");
    for (const echoed of [encoded, encoded.replace(/.{76}/g, "$&\n")]) {
      const shown = redaction.redact(`{"received": "${echoed}"}`);
      const left = Buffer.from(shown.replaceAll(/[^A-Za-z0-9+/=]/g, ""), "base64").toString("latin1");
      expect(left).not.toContain("value-of");
      expect(shown).toContain("[secret]");
    }
  });
});
