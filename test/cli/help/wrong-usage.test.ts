import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commands } from "../../../src/cli/commands.js";
import { asksForJson } from "../../../src/cli/main.js";
import { topics } from "../../../src/cli/help/topics.js";
import { otherTools } from "../../../src/generated/other-tools.js";
import { anyCharacter, fc } from "../../harness/property.js";
import { runIn } from "../desk.js";
import { parseWords } from "./named-command.js";

const run = (args: readonly string[]) => runIn("/nonexistent/folder", args);

describe("a word that is nearly right", () => {
  test.each([
    ["a command", ["aply"], "unknown command `aply`; did you mean `apply`?"],
    [
      "a command with options",
      ["vlaidate", "-C", "x"],
      "unknown command `vlaidate`; did you mean `validate`?",
    ],
    ["a command that help is asked of", ["aply", "--help"], "unknown command `aply`; did you mean `apply`?"],
    ["a sub-command", ["lock", "shwo"], "unknown command `lock shwo`; did you mean `lock show`?"],
    ["an option", ["plan", "--taget", "x"], "unknown option `--taget`; did you mean `--target`?"],
    ["an option with a value", ["plan", "--taget=x"], "unknown option `--taget`; did you mean `--target`?"],
    [
      "an option with one dash",
      ["plan", "-target", "x"],
      "unknown option `-target`; did you mean `--target`?",
    ],
    [
      "an option of every command",
      ["lock", "list", "--workspac"],
      "unknown option `--workspac`; did you mean `--workspace`?",
    ],
    [
      "a negative option",
      ["plan", "--no-colour"],
      "unknown option `--no-colour`; did you mean `--no-color`?",
    ],
    ["help", ["plan", "--hepl"], "unknown option `--hepl`; did you mean `--help`?"],
    ["an option of the program", ["--verison"], "unknown option `--verison`; did you mean `--version`?"],
    [
      "a choice",
      ["plan", "--format", "markdwon"],
      "--format must be one of text, json, markdown, html, not `markdwon`; did you mean `markdown`?",
    ],
    [
      "one of several effects",
      ["plan", "--fail-on", "widens,weakns"],
      "--fail-on must name effects (weakens,widens,review), codes of notes or rules of the workspace, not `weakns`; did you mean `weakens`?",
    ],
    [
      "a topic",
      ["help", "enviroments"],
      "there is no command and no topic `enviroments`; did you mean `environments`?",
    ],
    ["a command for help", ["help", "lock", "lst"], "unknown command `lock lst`; did you mean `lock list`?"],
  ])("%s", async (_, args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out, first: err.split("\n")[0] }).toEqual({
      code: 64,
      out: "",
      first: `error: ${message}`,
    });
  });

  test("a schema", async () => {
    expect((await run(["schema", "agnet"])).err).toContain("; did you mean `agent`?\n");
  });
});

describe("a word that is wrong", () => {
  test.each([
    [["frobnicate"], "unknown command `frobnicate`\n(`agentform --help` lists the commands)\n"],
    [
      ["environments"],
      "unknown command `environments`\n(`agentform help environments` explains the topic)\n",
    ],
    [
      ["lock", "frobnicate"],
      "unknown command `lock frobnicate`\n(`agentform lock --help` lists the commands)\n",
    ],
    [
      ["-C", "x", "plan"],
      "unknown option `-C`\n(options come after the command; `agentform --help` lists the commands)\n",
    ],
    [
      ["plan", "agent:support"],
      "unexpected argument `agent:support`\n(`agentform plan --help` has its options and examples)\n",
    ],
    [["show"], "missing argument `<file>`\n(`agentform show --help` has its options and examples)\n"],
    [
      ["plan", "--out"],
      "missing value of `--out <file>`\n(`agentform plan --help` has its options and examples)\n",
    ],
    [
      ["plan", "--selector"],
      "missing value of `--selector <key=value>`\n(`agentform plan --help` has its options and examples)\n",
    ],
    // The last of two would hold alone: one gate, one environment, one digest.
    [
      ["apply", "-e", "staging", "--yes", "--environment", "production"],
      "`-e, --environment <name>` is given twice, with different values\n(`agentform apply --help` has its options and examples)\n",
    ],
    [
      ["import", "-C", "a", "-C", "b", "--all"],
      "`-C, --workspace <dir>` is given twice, with different values\n(`agentform import --help` has its options and examples)\n",
    ],
    [
      ["apply", "--expect", "", "--expect", "sha256:0"],
      "`--expect <digest>` is given twice, with different values\n(`agentform apply --help` has its options and examples)\n",
    ],
    [
      ["plan", "--emulator=1"],
      "option `--emulator` has no value\n(`agentform plan --help` has its options and examples)\n",
    ],
    [
      ["comment"],
      "missing option `--plan <file>`\n(`agentform comment --help` has its options and examples)\n",
    ],
    [
      ["help", "plan", "x"],
      "unknown command `plan x`\n(`agentform plan --help` has its options and examples)\n",
    ],
    [
      ["help", "documents", "x"],
      "unexpected argument `x`\n(`agentform help documents` explains the topic)\n",
    ],
    [
      ["lock", "--emulator", "list"],
      "unknown option `--emulator`\n(options come after the command; `agentform lock --help` lists the commands)\n",
    ],
    [
      ["plan", "--target", "agent:a,agent:b"],
      "--target must be an address such as agent:support, not `agent:a,agent:b`\n(repeat the option: `--target agent:a --target agent:b`)\n",
    ],
    [
      ["lock", "resolve", "memory:a", "--not-created"],
      "an address has a form such as agent:support, not `memory:a`\n(the kinds are policy, toolset, credential, agent)\n",
    ],
    [["help", "x", "y"], "there is no command and no topic `x`\n(`agentform help` lists them)\n"],
  ])("%j: what is wrong, and where to look", async (args, message) => {
    expect(await run(args)).toEqual({ code: 64, out: "", err: `error: ${message}` });
  });
});

describe("what is typed in other tools is answered with what to type here", () => {
  test.each([
    [["destroy"], "remove the documents"],
    [["fmt"], "`agentform validate`"],
    [["state", "list"], "`agentform lock list`"],
    [["state", "mv", "a", "b"], "`lifecycle.moved_from`"],
    [["diff"], "`agentform plan`"],
    [["workspace", "select", "staging"], "`-e NAME`"],
    [["get", "agents"], "`agentform lock list`"],
    [["delete", "agent:support"], "remove the documents"],
    [["-chdir=x", "plan"], "`-C DIR`"],
    [["apply", "-auto-approve"], "`agentform apply --yes`"],
    [["apply", "--auto-approve"], "`agentform apply --yes`"],
    [["apply", "--dry-run"], "`agentform plan`"],
    [["apply", "--dry-run=client"], "`agentform plan`"],
    [["apply", "-f", "agents/support.yaml"], "`--target ADDR`"],
    [["show", "agent:support"], "`agentform lock show agent:support`"],
    [["apply", "agent:support", "--yes"], "`--target agent:support`"],
    [["apply", "agents/support.yaml", "--yes"], "`agentform apply --target agent:support`"],
    [["import", "agent:support", "66f1"], "`agentform lock resolve agent:support --adopt 66f1`"],
  ])("%j", async (args, answer) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err.split("\n")[1]).toContain(answer);
  });

  test.each(otherTools)(
    "%j: the answer names what there is, and the words are none of ours",
    async (words, answer) => {
      const reference = readFileSync("docs/reference/cli.md", "utf8");
      for (const [, line = ""] of answer.matchAll(/`agentform ([^`]+)`/g)) {
        if (line !== "--version") await parseWords(line.split(" "));
      }
      for (const [flag] of answer.matchAll(/(?<=`)--?[a-zA-Z][\w-]*/g))
        expect(reference).toContain(`\`${flag}`);
      const ours = commands.map(({ name }) => name);
      expect(words.filter((word) => ours.includes(word))).toEqual([]);
    },
  );

  test("a file with the form of an address is read as the plan that it is said to be", async () => {
    const folder = mkdtempSync(join(tmpdir(), "agentform-show-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "agent:x"), "{}");
    const { err } = await runIn(folder, ["show", "agent:x"]);
    expect(err).toContain("error[plan-invalid]");
  });
});

describe("hostile words", () => {
  const word = "\u001b[31mx\n::error::y\u202e";
  const shown = "\\x1b[31mx\\n::error::y\\u{202e}";

  test.each([
    [[word]],
    [["lock", word]],
    [["help", word]],
    [["plan", word]],
    [["plan", `--${word}`]],
    [["plan", "--format", word]],
    [["plan", "--target", word]],
    [["plan", "--var", word]],
    [["apply", "--yes", "--concurrency", word]],
  ])("%j are shown in one line, and nothing in them is carried out", async (args) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err.split("\n")[0]).toContain(shown);
    expect(err).not.toMatch(/[\u001b\u202e]|^::/m);
  });

  test("a value after `=` may be secret, and is not repeated", async () => {
    const { err } = await run(["plan", "--api-key=hunter2"]);
    expect(err).toContain("unknown option `--api-key`");
    expect(err).not.toContain("hunter2");
  });
});

test("a wrong option is refused in one line, or help is shown, whatever else is on the line", async () => {
  const words = fc.oneof(
    fc.constantFrom(...commands.map(({ name }) => name), "list", "show", "help", "x", "agent:support"),
    fc.constantFrom(
      "--help",
      "-h",
      "-e",
      "-C",
      "--format",
      "json",
      "--target",
      "--yes",
      "--var",
      "a=b",
      "-x",
    ),
    fc.string({ unit: anyCharacter }).filter((word) => word !== "--"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 6 }), async (given) => {
      // An option before them may take the first as its value.
      const { code, out, err } = await run([...given, "--no-such-option", "--no-such-option"]);
      if (code === 0) expect({ shown: out !== "", err }).toEqual({ shown: true, err: "" });
      else {
        expect({ code, isShown: out !== "" }).toEqual({ code: 64, isShown: asksForJson(given) });
        if (out !== "") expect(JSON.parse(out)).toMatchObject({ diagnostics: [{ code: "command-line" }] });
        expect(err).toMatch(/^error: [^\n]+\n(\([^\n]+\)\n)?$/);
        expect(err).not.toMatch(/(?!\n)\p{Cc}/u);
      }
    }),
  );
});

test("no topic has the name of a command", () => {
  const names = commands.map(({ name }) => name);
  expect(topics.filter(({ name }) => names.includes(name))).toEqual([]);
});
