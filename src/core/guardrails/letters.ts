import type { MixedPart } from "./note-parts.js";

// As ranges, so that the result does not depend on the Unicode version of the runtime. Scripts that are written without
// spaces beside Latin words, such as those of China and Japan, look like no Latin letter and are left out.
const scripts: Readonly<Record<string, string>> = {
  Latin: "A-Za-zªº\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02af\\u1e00-\\u1eff",
  Greek: "\\u0370-\\u0373\\u0376\\u0377\\u037b-\\u037d\\u037f\\u0386\\u0388-\\u03ff\\u1f00-\\u1fff",
  Cyrillic: "\\u0400-\\u052f\\u1c80-\\u1c8f\\u1d2b\\ua640-\\ua69f",
  Armenian: "\\u0531-\\u0556\\u0560-\\u0588",
  Hebrew: "\\u05d0-\\u05ea",
  Georgian: "\\u10a0-\\u10ff\\u1c90-\\u1cbf\\u2d00-\\u2d2d",
  Cherokee: "\\u13a0-\\u13fd\\uab70-\\uabbf",
  Coptic: "\\u2c80-\\u2cee",
  Lisu: "\\ua4d0-\\ua4f7",
  fullwidth: "\\uff21-\\uff3a\\uff41-\\uff5a",
  mathematical: "\\u{1d400}-\\u{1d7cb}",
};

const names = Object.keys(scripts);
const everyLetter = new RegExp(names.map((name) => `([${scripts[name] ?? ""}])`).join("|"), "gu");
const foreignLetter = new RegExp(
  `[${names
    .filter((name) => name !== "Latin")
    .map((name) => scripts[name])
    .join("")}]`,
  "u",
);
// What ends a word that may be a host or an address of a mail.
const delimiter =
  /[\s!"#$%&'()*+,/:;<=>?[\\\]^`{|}~\u00a0\u00ab\u00bb\u2010-\u2027\u2030-\u205e\u3000-\u303f]+/;
const hostForm = /^(?:[^@]+@)?[^@.]+(?:\.[^@.]+)*\.[a-z\u0400-\u052f\u0370-\u03ff]{2,}$/iu;
// Letters of other scripts that are drawn like Latin ones.
const cyrillicAlike = /^[аеорсухѕіјһԁԛԝӏкАВЕКМНОРСТУХЅІЈԌ]+$/u;
const greekAlike = /[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυγκχε]/u;
const acronym = /^[A-Z0-9]{2,}[а-яёіїєґ]+$/u;

/** Finds the words of a text with letters of several scripts, each once; takes time in proportion to its length. */
export function mixedWords(text: string): MixedPart[] {
  if (!foreignLetter.test(text)) return [];
  const found = new Map<string, MixedPart>();
  for (const token of text.split(delimiter)) {
    if (token.length > longest || !foreignLetter.test(token)) continue;
    const whole = token.replaceAll(/^[-._@]+|[-._@]+$/g, "");
    const isHost = hostForm.test(whole);
    if (isHost && isDeceptive(whole)) found.set(whole, { ...mixed(whole), ...asciiOf(whole) });
    if (isHost) continue;
    for (const word of whole.split(/[-._@]+/)) if (isMixed(word)) found.set(word, mixed(word));
  }
  return [...found.values()];
}

// Longer than any host, and than any word that a person would take for one.
const longest = 320;

// Some languages give an acronym an ending of their own; units and formulas have a Greek letter that looks like itself.
function isMixed(word: string): boolean {
  const { own, foreign } = lettersOf(word);
  if (own === "") return foreign.length > 1;
  return foreign.length > 0 && !acronym.test(word) && !isUnit(foreign);
}

function isUnit(foreign: MixedPart["foreign"]): boolean {
  return foreign.every(({ script, letters }) => script === "Greek" && !greekAlike.test(letters));
}

function isDeceptive(host: string): boolean {
  return host.split(/[@.]/).some((label) => {
    const { own, foreign } = lettersOf(label);
    if (foreign.length === 0) return false;
    if (own !== "" || foreign.length > 1) return true;
    const [{ script, letters } = { script: "", letters: "" }] = foreign;
    if (script === "fullwidth" || script === "mathematical") return true;
    return script === "Cyrillic"
      ? cyrillicAlike.test(letters)
      : [...letters].every((each) => greekAlike.test(each));
  });
}

function mixed(word: string): MixedPart {
  return { word, foreign: lettersOf(word).foreign };
}

function lettersOf(word: string): { readonly own: string; readonly foreign: MixedPart["foreign"] } {
  const found = new Map<string, Set<string>>();
  for (const [letter, ...groups] of word.matchAll(everyLetter)) {
    const script = names[groups.findIndex((group) => group !== undefined)] ?? "";
    found.set(script, (found.get(script) ?? new Set()).add(letter));
  }
  return {
    own: [...(found.get("Latin") ?? [])].join(""),
    foreign: [...found].flatMap(([script, letters]) =>
      script === "Latin" ? [] : [{ script, letters: [...letters].join("") }],
    ),
  };
}

function asciiOf(host: string): { readonly ascii?: string } {
  const ascii = punycode(host.slice(host.lastIndexOf("@") + 1));
  return ascii === undefined ? {} : { ascii };
}

/** Writes a host as the network does, in ASCII; undefined if it is that already, or no host. */
export function punycode(host: string): string | undefined {
  if (/^[\p{ASCII}]*$/u.test(host) || !URL.canParse(`https://${host}`)) return undefined;
  return new URL(`https://${host}`).hostname;
}
