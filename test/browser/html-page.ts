import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from "vitest";
import { renderPlanHtml } from "../../src/render/html/plan-html.js";
import type { Plan } from "../../src/generated/plan.js";
import { slowest } from "./chromium.js";

let browser: Browser | undefined;

/** Reaches Chromium before the tests of a file; without one they are skipped, and say so. */
export function useBrowser(): void {
  const endpoint = inject("chromium");
  beforeAll(async () => {
    if (endpoint !== null) browser = await chromium.connect(endpoint);
  });
  beforeEach(({ skip }) => {
    skip(
      endpoint === null,
      "needs Chromium: set CHROMIUM to its path (the one from npm is for Linux on x64)",
    );
  });
  afterAll(() => browser?.close());
}

/** Opens a page with nothing in it, until the end of the test. */
export async function openEmpty(options: BrowserContextOptions): Promise<Page> {
  if (!browser) throw new Error("useBrowser was not called");
  const context = await browser.newContext(options);
  context.setDefaultTimeout(slowest);
  onTestFinished(() => context.close());
  return await context.newPage();
}

/** What hinders people with disabilities on a page, one line each. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind.
  const found = (await page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html} ${failureSummary}`),
  );
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Gives a page of this HTML as a PNG, at one and a half times the size. */
export async function pictureOf(html: string, width: number): Promise<Buffer> {
  const page = await openEmpty({ offline: true, deviceScaleFactor: 1.5, viewport: { width, height: 100 } });
  await page.setContent(html);
  return await page.screenshot({ fullPage: true });
}

/** Opens a plan's page from a file; the test fails if it complains, breaks its policy or asks for anything. */
export async function openPlan(plan: Plan, options: BrowserContextOptions = {}, hash = ""): Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-page-"));
  const file = join(folder, "plan.html");
  writeFileSync(file, renderPlanHtml(plan));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = await openEmpty({ offline: true, ...options });
  const complaints: string[] = [];
  const url = pathToFileURL(file).href;
  await page.addInitScript({
    content: `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error("policy violated: " + violatedDirective + " " + blockedURI);
    });`,
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== url) complaints.push(`request: ${request.url()}`);
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(url + hash);
  return page;
}
