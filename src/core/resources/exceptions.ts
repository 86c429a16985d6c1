import { noteCodes } from "../../generated/codes.js";
import { error, type Finding } from "../finding/diagnostic.js";
import { KeyedFindings } from "../finding/merged-findings.js";
import { didYouMean } from "../finding/nearest.js";
import { say } from "../finding/said.js";
import type { OwnRule } from "../rules/own-rule.js";
import type { ExcusedDocuments } from "./manifest.js";
import type { Resource } from "./resource.js";

/** Gives what documents are excused from, and the names in that which are of no rule and no note. */
export function collectExceptions(
  resources: Iterable<Resource>,
  rules: readonly OwnRule[],
  isAllRead: boolean,
): { readonly exceptions: ExcusedDocuments; readonly findings: readonly Finding[] } {
  const findings = new KeyedFindings();
  const known = new Set([...rules.map(({ name }) => name), ...noteCodes]);
  const ofOrganisation = new Set(
    rules.flatMap(({ name, origin }) => (origin === "organisation" ? name : [])),
  );
  const exceptions = [...resources].flatMap((resource) => {
    const { except } = resource.lifecycle;
    if (!except) return [];
    for (const [index, { rule }] of except.entries()) {
      const place = () => resource.place(["lifecycle", "except", index, "rule"]);
      if (ofOrganisation.has(rule)) {
        const hint = "remove the exception, and ask whoever keeps these rules";
        const message = say`${{ name: rule }} is a rule of the organisation, from which no document is excused`;
        findings.add(error("rule-unknown", place(), message, hint));
      } else if (!known.has(rule) && isAllRead) {
        const hint = didYouMean(rule, known) ?? "write the name of a rule, or the code of a note of a plan";
        findings.add(error("rule-unknown", place(), say`there is no rule ${{ name: rule }}`, hint));
      }
    }
    const reasons = Object.fromEntries(except.map(({ rule, reason }) => [rule, reason]));
    return except.length > 0 ? [[resource.address, reasons] as const] : [];
  });
  return { exceptions: Object.fromEntries(exceptions), findings: findings.list() };
}

/** Whether a document is excused from a rule; an organisation's excuse nobody. */
export function isExcused(exceptions: ExcusedDocuments, address: string, { name, origin }: OwnRule): boolean {
  return origin !== "organisation" && isExcusedFrom(exceptions, address, name);
}

/** Whether a document is excused from the rule, or the note, of a name. */
export function isExcusedFrom(exceptions: ExcusedDocuments, address: string, name: string): boolean {
  return Object.hasOwn(exceptions, address) && Object.hasOwn(exceptions[address] ?? {}, name);
}
