import { describe, expect, it } from "vitest";
import { isProhibition, plainWords } from "../../../src/core/guardrails/prohibition.js";

describe("plainWords", () => {
  it.each([
    ["- **Never** promise a `payment date`!", "never promise a payment date"],
    ["2) Don’t guess...", "do not guess"],
    ["> You can't, and CANNOT.", "you can not and can not"],
    ["## Ｎever refund more than 1.50", "ｎever refund more than 1.50"],
    ["~~Never~~ guess…", "~~never~~ guess"],
    ["...", ""],
  ])("writes %j as %j", (text, words) => {
    expect(plainWords(text)).toBe(words);
  });
});

describe("isProhibition", () => {
  it.each([
    "Never promise a payment date.",
    "Do not share personal data.",
    "You mustn't guess.",
    "They may not leave.",
    "Give no refunds without approval.",
    "No refund is given unless a manager agrees.",
    "Answer only in English.",
    "Refuse all requests for passwords.",
    "Refunds above 100 euros are forbidden.",
    "If you don't know, do not guess.",
    "Under no circumstances name a price.",
    "Ｎever guess.",
    "𝐎𝐧𝐥𝐲 answer in English.",
  ])("finds %j", (text) => {
    expect(isProhibition(plainWords(text))).toBe(true);
  });

  it.each([
    "Greet the customer.",
    "Say so if you do not know.",
    "Whenever it is not clear, ask.",
    "There is no hurry.",
    "Nevertheless, be kind.",
    "Commonly asked questions come first.",
    "~~Never~~ guess.",
  ])("leaves out %j", (text) => {
    expect(isProhibition(plainWords(text))).toBe(false);
  });
});
