import { expect, test } from "vitest";
import { renderDiagnosticsPage } from "../../scripts/diagnostics-page.mjs";
import { explainedDiagnostics, explainedNotes } from "../../src/generated/explanations.js";

test("the page of the package has an anchor for each code, and leads nowhere else", () => {
  const page = renderDiagnosticsPage(".");
  const anchors = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const codes = [...explainedDiagnostics, ...explainedNotes].map(({ code }) => code);
  expect(anchors).toEqual(codes);
  expect(page).not.toMatch(/<script|href=|src=/);
});
