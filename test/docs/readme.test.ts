import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeBlocks } from "./code-block.js";

const readme = readFileSync("README.md", "utf8");

test("trying it from a checkout takes two commands, and their scripts exist", () => {
  const [, section = ""] = readme.split("## From a checkout\n");
  const commands = codeBlocks(section).map(({ text }) => text);
  expect(commands).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
});

test("the README installs the version that there is", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(readme).toContain(`npm install --global ./agentform-${version}.tgz`);
});

test("the README is short", () => {
  const prose = readme.replaceAll(/```[^]*?```/g, "").replaceAll(/\]\([^)]*\)/g, "]");
  expect(prose.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(900);
  expect(readme.split("\n").length).toBeLessThanOrEqual(170);
});
