import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Checked } from "../../src/core/finding/checked.js";
import type { WorkspaceIds } from "../../src/core/resources/application-ids.js";
import { renderIdsDotenv } from "../../src/render/results/ids-dotenv.js";
import { renderIdsJson } from "../../src/render/results/ids-json.js";
import { renderIdsPython } from "../../src/render/results/ids-python.js";
import { renderIdsTypescript } from "../../src/render/results/ids-typescript.js";
import { deadText } from "../../src/render/words/log-text.js";
import { commandTexts } from "../harness/job-log.js";
import { needProgram } from "../harness/need.js";
import { wholeTest } from "../harness/tier.js";
import { fc } from "../harness/property.js";
import { hiddenCharacter, hostileText } from "./hostile-text.js";

const header = ["Made by a test.", "Do not edit."];

const hostile = [
  "66f1c0a9e4b0",
  "",
  " ",
  "it's",
  '"quoted"',
  "$HOME ${HOME} $(id) `id`",
  String.raw`back\slash \n \x41 \u0041`,
  "#no comment",
  "a # b",
  "end of comment */ // --> <!--",
  "two\nlines",
  "'both' \"quotes\" and $HOME\nin lines",
  "tab\tin it",
  "export A=1; B=2 && !!",
  "~/home",
  "é 登録 \u{1f916} \u{e0041} \u2028",
  '"""',
  "{{ticket}} ${policy:a} $${",
];

const controls = ["\0", "\u001b[2J", "\r", "\u0085", "\ud83d", "\u007f"];

function idsOf(values: readonly string[]): WorkspaceIds {
  const ids = new Map(values.map((id, index) => [`agent:a${index}`, id]));
  return { workspace: "desk", environment: null, ids };
}

function textOf(rendered: Checked<{ readonly text: string }>): string {
  if (rendered.ok) return rendered.text;
  throw new Error(JSON.stringify(rendered.problems));
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "output-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, encoding: "utf8" });
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const any = [...hostile, ...controls, ...commandTexts];
const writable = [...hostile, ...commandTexts.filter((text) => !/[\r\v\f\x85\x1b]/.test(text))];

describe("what is rendered", () => {
  test("contains nothing that a terminal or a CI obeys, except what a shell must get as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(hostileText, fc.constantFrom(...any))), (values) => {
        const ids = idsOf(values);
        for (const rendered of [
          renderIdsJson(ids),
          renderIdsTypescript(ids, header),
          textOf(renderIdsPython(ids, header)),
        ]) {
          expect(rendered).not.toMatch(hiddenCharacter);
          expect(deadText(rendered)).toBe(rendered);
        }
        const dotenv = renderIdsDotenv(ids, header);
        if (dotenv.ok) expect(deadText(dotenv.text)).toBe(dotenv.text);
      }),
    );
  });

  test("is the same whatever the order in which it is made", () => {
    const [one, other] = [idsOf(["x", "y"]), idsOf(["x", "y"])];
    for (const render of [renderIdsJson, renderIdsTypescript, renderIdsPython, renderIdsDotenv]) {
      expect(render(one, header)).toEqual(render(other, header));
    }
  });
});

describe("dotenv", () => {
  test("is read by a shell as it was meant", () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "ids.env"), textOf(renderIdsDotenv(idsOf(writable), header)));
    const names = writable.map((_, index) => `AGENT_A${index}_ID`);
    const script = `. ./ids.env\n${names.map((name) => `printf '%s\\001' "$${name}"`).join("\n")}`;
    expect(run("sh", ["-c", script], folder).split("\u0001").slice(0, -1)).toEqual(writable);
  });

  test("is read by Node as by a shell, unless an ID has several sorts of quotes or a command in it", () => {
    const values = writable.filter((text) => !(text.includes("'") && /["$`\\]/.test(text)));
    const plain = values.filter((text) => deadText(text) === text);
    expect(plain.length).toBeGreaterThan(10);
    const read = parseEnv(textOf(renderIdsDotenv(idsOf(plain), header)));
    expect(plain.map((_, index) => read[`AGENT_A${index}_ID`])).toEqual(plain);
  });

  test("refuses what no variable can hold, and names it", () => {
    for (const text of controls) {
      const rendered = renderIdsDotenv(idsOf(["fine", text]), header);
      expect(rendered).toMatchObject({ problems: [{ code: "output-unfit" }] });
      expect(JSON.stringify(rendered)).toContain("`agent:a1`");
    }
  });
});

const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

function compile(folder: string, use: string): void {
  writeFileSync(join(folder, "use.ts"), use);
  const options = "--strict --noUncheckedIndexedAccess --isolatedDeclarations --declaration --target es2022";
  const more = "--module nodenext --types --ignoreConfig";
  run(process.execPath, [tsc, ...`${options} ${more}`.split(" "), "use.ts"], folder);
}

describe("TypeScript", () => {
  wholeTest("compiles, and has every ID as the type of its address", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(join(folder, "ids.ts"), renderIdsTypescript(idsOf(any), header));
    const literal = JSON.stringify(any[0]);
    compile(
      folder,
      `import { ids, type Address } from "./ids.js";
const first: ${literal} = ids["agent:a0"];
export const of = (address: Address): string => ids[address];
// @ts-expect-error There is no such address.
of("agent:none");
// @ts-expect-error The IDs do not change.
ids["agent:a0"] = first;
`,
    );
    const print = `import("./ids.js").then(({ ids }) => console.log(JSON.stringify(Object.values(ids))))`;
    expect(JSON.parse(run(process.execPath, ["-e", print], folder))).toEqual(any);
  });

  wholeTest("is a module even without an ID", () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "ids.ts"), renderIdsTypescript(idsOf([]), header));
    compile(
      folder,
      `import { ids, type Address } from "./ids.js";\nexport const all: Address[] = Object.keys(ids) as Address[];\n`,
    );
  });
});

describe("Python", () => {
  test("is imported, and has every ID as a constant", () => {
    needProgram("python3");
    const folder = makeFolder();
    writeFileSync(join(folder, "ids.py"), textOf(renderIdsPython(idsOf(any), header)));
    const names = any.map((_, index) => `ids.AGENT_A${index}_ID`);
    const script = `import ids, json\nprint(json.dumps([${names.join(", ")}]))`;
    expect(JSON.parse(run("python3", ["-B", "-c", script], folder))).toEqual(any);
    const [, annotation] = /^AGENT_A0_ID: (\w+) = /m.exec(textOf(renderIdsPython(idsOf(any), header))) ?? [];
    expect(annotation).toBe("Final");
  });

  wholeTest("is a module even without an ID", () => {
    needProgram("python3");
    const folder = makeFolder();
    writeFileSync(join(folder, "ids.py"), textOf(renderIdsPython(idsOf([]), header)));
    run("python3", ["-B", "-c", "import ids"], folder);
  });
});

test("names are words in capitals, in ASCII, whatever an operation is called", () => {
  const ids = new Map(
    [
      "agent:support-2.eu",
      "toolset:a/createTicket",
      "toolset:a/getHTTPStatus",
      "toolset:a/GET /tickets/{id}",
      "toolset:a/repos/get",
      "toolset:a/schließe",
      "toolset:a/登録",
      "toolset:a/__proto__",
    ].map((address, index) => [address, String(index)] as const),
  );
  const one = textOf(renderIdsDotenv({ workspace: "desk", environment: "2026", ids }, []));
  expect(one.split("\n")).toEqual([
    "AGENT_SUPPORT_2_EU_ID=0",
    "TOOLSET_A_CREATE_TICKET_ID=1",
    "TOOLSET_A_GET_HTTP_STATUS_ID=2",
    "TOOLSET_A_GET_TICKETS_ID_ID=3",
    "TOOLSET_A_REPOS_GET_ID=4",
    "TOOLSET_A_SCHLIE_UDF_E_ID=5",
    "TOOLSET_A_U767B_U9332_ID=6",
    "TOOLSET_A_PROTO_ID=7",
    "",
  ]);
});
