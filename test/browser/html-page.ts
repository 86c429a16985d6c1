import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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

/** Gives a page of this HTML as a PNG, at one and a half times the size. */
export async function pictureOf(html: string, width: number): Promise<Buffer> {
  if (!browser) throw new Error("useBrowser was not called");
  const context = await browser.newContext({
    offline: true,
    deviceScaleFactor: 1.5,
    viewport: { width, height: 100 },
  });
  context.setDefaultTimeout(slowest);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.setContent(html);
  return await page.screenshot({ fullPage: true });
}

/** Opens a plan's page from a file; the test fails if it complains, breaks its policy or asks for anything. */
export async function openPlan(plan: Plan, options: BrowserContextOptions = {}, hash = ""): Promise<Page> {
  if (!browser) throw new Error("useBrowser was not called");
  const folder = mkdtempSync(join(tmpdir(), "agentform-page-"));
  const file = join(folder, "plan.html");
  writeFileSync(file, renderPlanHtml(plan));
  const context = await browser.newContext({ offline: true, ...options });
  context.setDefaultTimeout(slowest);
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true });
  });
  const page = await context.newPage();
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
