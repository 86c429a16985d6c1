import { fc } from "../harness/property.js";

/** What no renderer may let out: controls but the line end, bidirectional and invisible characters, lone surrogates. */
export const hiddenCharacter =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\u2800\u3164\uffa0\ufeff\u{e0000}-\u{e01ef}]|\u034f|\p{Cs}/u;

const terminal = ["\u001b[2J", "\u001b]8;;https://e.example\u001b\\", "\u0007", "\u0000", "\u009b", "\u007f"];
const spaces = ["\r", "\t", "\n", "\r\n", " ", "  "];
const unseen = [
  "\u202e",
  "\u2066",
  "\u200f",
  "\u061c",
  "\u200b",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u{e0041}",
  "\u{e0100}",
  "\u034f",
  "\u2800",
  "\u3164",
  "\ud83d",
];
const meaning = ["${policy:a}", "$${", "${env:A@1}", "${env:A@2}", "word", "Plan: nothing", "· →", "👋"];

/** Texts full of what should not reach a terminal. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.constantFrom(...terminal, ...spaces, ...unseen, ...meaning), fc.string({ maxLength: 5 })),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));
