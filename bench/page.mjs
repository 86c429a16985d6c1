/** The page of a large plan in Chromium: its size, and the time until it is painted and answers. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { makeEditedWorkspace } from "./edited-workspace.mjs";
import { run } from "./measure.mjs";
import { wordsRow } from "./table.mjs";

const count = 10_000;

/** Measures the HTML of a plan of 10,000 actions, most of them with one of three shared edits; nothing without Chromium. */
export async function measurePage({ agentform, scratch, rounds = 5 }) {
  const file = await makePage(agentform, join(scratch, "page"));
  const { CHROMIUM: executablePath = "/usr/bin/chromium" } = process.env;
  const browser = await chromium
    .launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })
    .catch(() => undefined);
  const work = "page of a plan of 10,000 actions";
  if (!browser) return [wordsRow(work, `no Chromium at ${executablePath}; CHROMIUM names one`)];
  const runs = [];
  for (let round = 0; round <= rounds; round++) {
    const opened = await open(browser, file);
    if (round > 0) runs.push(opened);
  }
  await browser.close();
  const of = (name) => runs.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)];
  return [
    wordsRow(`${work}, size`, `${(statSync(file).size / 1e6).toFixed(2)} MB`),
    wordsRow(`${work}, first paint`, `${of("painted").toFixed(0)} ms`),
    wordsRow(`${work}, it answers`, `${of("interactive").toFixed(0)} ms`),
    wordsRow(`${work}, elements`, String(of("elements"))),
  ];
}

async function makePage({ plan, ...agentform }, directory) {
  await makeEditedWorkspace(agentform, directory, count);
  const { args, env } = plan(directory, "--format", "html");
  const { stdout } = await run(args, env);
  const file = join(directory, "plan.html");
  writeFileSync(file, stdout);
  return file;
}

async function open(browser, file) {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const opened = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    interactive: performance.getEntriesByName("interactive")[0].startTime,
    elements: document.querySelectorAll("*").length,
  }));
  await page.close();
  return opened;
}
