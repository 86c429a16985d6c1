import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { explainedDiagnostics, explainedNotes } from "../../src/generated/explanations.js";
import { openEmpty, useBrowser, violations } from "./html-page.js";

useBrowser();

const base = "/agentform/";
const dist = join("site", "dist");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
const pages: string[] = [];
let server: Server;
let root = "";

beforeAll(async () => {
  execFileSync("npm", ["run", "site", "--", "--base", base], { stdio: ["ignore", "ignore", "inherit"] });
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  pages.push(
    ...files.filter((file) => file.endsWith(".html") && file !== "404.html" && file !== "plan.html"),
  );
  // Any static host: it knows files by their paths, and nothing of pages.
  server = createServer(({ url = "" }, answer) => {
    const file = fileAt(new URL(url, "http://host").pathname);
    if (file === undefined) return answer.writeHead(404).end();
    return answer
      .writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" })
      .end(readFileSync(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
});
afterAll(() => server.close());

function fileAt(path: string): string | undefined {
  if (!path.startsWith(base)) return undefined;
  const file = join(dist, decodeURIComponent(path.slice(base.length)));
  if (!existsSync(file)) return undefined;
  const found = statSync(file).isDirectory() ? join(file, "index.html") : file;
  return existsSync(found) ? found : undefined;
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openEmpty({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(root)) complaints.push(`request: ${request.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(root + path);
  return page;
}

test("each code and each note has a page, and each page its Markdown beside it", () => {
  const codes = [...explainedDiagnostics, ...explainedNotes].map(({ code }) => code);
  const paths = codes.map((code) => `codes/${code}.html`);
  expect(pages).toEqual(
    expect.arrayContaining([...paths, "index.html", "how-to/drift.html", "project/performance.html"]),
  );
  expect(pages.filter((page) => !existsSync(join(dist, page.replace(/\.html$/, ".md"))))).toEqual([]);
});

test("every link of every page, of its Markdown and of llms.txt leads to a page and its heading", () => {
  const idsOf = new Map<string, ReadonlySet<string>>();
  const isThere = (from: string, link: string): boolean => {
    const { origin, pathname, hash } = new URL(link, `http://host${base}${from}`);
    if (origin !== "http://host") return true;
    const file = fileAt(pathname);
    if (file === undefined) return false;
    if (hash === "" || !file.endsWith(".html")) return true;
    const ids =
      idsOf.get(file) ??
      new Set([...readFileSync(file, "utf8").matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id));
    idsOf.set(file, ids);
    return ids.has(decodeURIComponent(hash.slice(1)));
  };
  const linksOf = (file: string) => {
    const text = readFileSync(join(dist, file), "utf8");
    if (file.endsWith(".html"))
      return [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link);
    return [...text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link = ""]) => link,
    );
  };
  const files = [...pages, ...pages.map((page) => page.replace(/html$/, "md")), "llms.txt"];
  const links = files.flatMap((file) => [...new Set(linksOf(file))].map((link) => ({ file, link })));
  expect(links.length).toBeGreaterThan(10_000);
  expect(links.filter(({ file, link }) => !isThere(file, link.replaceAll("&amp;", "&")))).toEqual([]);
});

test("no table is cut on a screen of 1280 pixels, and nothing is asked for elsewhere", async () => {
  const page = await open("");
  const isCut = () =>
    [...document.querySelectorAll("table, body")].filter((each) => each.scrollWidth > each.clientWidth)
      .length;
  const cut: string[] = [];
  for (const path of pages.filter((each) => !each.startsWith("codes/"))) {
    await page.goto(root + path);
    if ((await page.evaluate(isCut)) > 0) cut.push(path);
  }
  expect(cut).toEqual([]);
});

const looked = [
  "index.html",
  "contents.html",
  "reference/documents.html",
  "reference/cli.html",
  "codes/policy-detached.html",
];

test.each(["light", "dark"] as const)("in %s, nothing hinders", async (colorScheme) => {
  const page = await open("", { colorScheme });
  for (const path of looked) {
    await page.goto(root + path);
    expect(await violations(page), path).toEqual([]);
  }
});

test("neither does anything on a phone", async () => {
  const page = await open("reference/documents.html", { viewport: { width: 390, height: 800 } });
  expect(await violations(page)).toEqual([]);
});

async function search(page: Page, words: string): Promise<string> {
  if (!(await page.locator("#localsearch-input").isVisible()))
    await page.getByRole("button", { name: "Search" }).click();
  await page.locator("#localsearch-input").fill(words);
  const first = page.locator("#localsearch-list a").first();
  await expect.poll(() => page.locator(".search-bar .loading").count()).toBe(0);
  await page.waitForTimeout(400);
  const [path = ""] =
    (await first.getAttribute("href"))?.slice(base.length).split(/(?:\.html)?(?:#|$)/) ?? [];
  return path;
}

const questions: readonly (readonly [words: string, page: string])[] = [
  ["rename an agent without losing its id", "how-to/rename"],
  ["apply was killed half way", "how-to/dead-runner"],
  ["import existing agents", "how-to/import"],
  ["staging and production", "how-to/environments"],
  ["somebody edited an agent in the console", "how-to/drift"],
  ["roll back a change", "how-to/roll-back"],
  ["rotate an api key", "how-to/rotate-a-secret"],
  ["set up gitlab ci", "how-to/gitlab"],
  ["delete objects that are left behind", "how-to/prune"],
  ["use ids in my application", "reference/output"],
];

test("the search answers at least seven of ten questions with the right page first", async () => {
  const page = await open("");
  const wrong = [];
  for (const [words, right] of questions) {
    const found = await search(page, words);
    if (found !== right) wrong.push({ words, found });
  }
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(3);
});

test.each(["policy-detached", "lock-held", "file-missing"])(
  "the search finds the code %s by its name",
  async (code) => {
    expect(await search(await open(""), code)).toBe(`codes/${code}`);
  },
);

test("the plan of the README's change is a page that works", async () => {
  const page = await open("");
  await page.getByRole("link", { name: "A plan", exact: true }).click();
  await expect.poll(() => page.title()).toContain("weather");
  expect(await page.locator("body").innerText()).toContain("policy:careful is detached");
});
