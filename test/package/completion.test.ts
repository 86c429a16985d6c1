import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentText, makeWorkspace } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { runCli } from "./run-cli.js";
import { openShell, shellNames, type ShellName } from "./shell-session.js";

/** Labels that a shell would run, expand or take apart, if it were not for quotes; `RUN` is a command that leaves a file. */
const hostile: Readonly<Record<string, string>> = {
  team: "My friends: all",
  command: "$(RUN)",
  tick: "`RUN`",
  semicolon: "a;RUN;b|RUN&RUN>e<f#g",
  quote: `it's "q" \\ back`,
  bang: "hey!ls!!",
  glob: "*?[a]{b,c}~",
  caret: "^a^b",
  percent: "%1 $HOME ${HOME} $1 =ls",
  unicode: "grüße ☃",
};

const leftOut = { newline: "a\nb", escape: "a\u001b[31mb", bidi: "a\u202eb", tab: "a\tb" };

function makeDesk() {
  const workspace = makeWorkspace({
    "agents/support.yaml": JSON.stringify({
      apiVersion: "agentform/v1",
      kind: "Agent",
      metadata: {
        name: "support",
        labels: { ...runnable(hostile), ...leftOut, "-dash": "x", "~tilde": "x" },
      },
      spec: { name: "Support" },
    }),
    "agents/support-2.yaml": documentText("Agent", "support-2", { name: "Second" }),
    "files/a $(touch RUN)`touch RUN`.txt": "",
  });
  mkdirSync(join(workspace.directory, "files/my folder"));
  writeFileSync(join(workspace.directory, "files/it's.txt"), "");
  const env = { XDG_CACHE_HOME: makeWorkspace({}).directory };
  return { ...workspace, env, cwd: workspace.directory };
}

function runnable(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [key, value.replaceAll("RUN", "touch RUN")]),
  );
}

async function openDeskIn(shell: ShellName, first?: string) {
  const desk = makeDesk();
  const { code } = await runCli(["validate"], desk);
  expect(code).toBe(0);
  const session = await openShell(shell, { ...desk, ...(first !== undefined && { first }) });
  const nothingRan = () => expect(existsSync(join(desk.cwd, "RUN"))).toBe(false);
  return { ...session, desk, nothingRan };
}

describe.each(sample("shells", shellNames, 1))("in %s", (shell) => {
  const lines: readonly (readonly [line: string, words: readonly unknown[]])[] = [
    ["pl\t--tar\tagent:support-\t", ["plan", "--target", "agent:support-2"]],
    ["render --selector=team=\t", ["render", "--selector=team=My friends: all"]],
    ["plan --out files/a\t", ["plan", "--out", "files/a $(touch RUN)`touch RUN`.txt"]],
    ["apply files/my\tplan", ["apply", "files/my folder/plan"]],
    ["plan -C files/m\t", ["plan", "-C", expect.stringMatching(/^files\/my folder\/?$/)]],
    ["plan --selector command=\t", ["plan", "--selector", "command=$(touch RUN)"]],
  ];

  test("commands, options, addresses with a colon, labels with spaces, files and folders are completed", async () => {
    const { type, nothingRan } = await openDeskIn(shell);
    for (const [line, words] of sample(`lines of ${shell}`, lines, 2)) {
      expect(await type(`show ${line}`)).toEqual(words);
    }
    nothingRan();
  });

  const ways = [
    (key: string) => ["--selector ", `${key}=`],
    (key: string) => ["--selector '", `${key}=`],
    (key: string) => ['--selector "', `${key}=`],
    (key: string) => ["--selector=", `${key}=`],
    (key: string) => ["--selector ", key.slice(0, -1)],
  ];

  wholeTest("a label of a stranger becomes one word, however its beginning is quoted", async () => {
    const { type, nothingRan } = await openDeskIn(shell);
    for (const [key, value] of Object.entries(runnable(hostile))) {
      for (const way of ways) {
        const [before = "", begun = ""] = way(key);
        // Bash would expand its history in these quotes, so there it is not completed.
        if (shell === "bash" && value.includes("!") && before.endsWith('"')) continue;
        const head = before.endsWith("=") ? [] : ["--selector"];
        const word = `${head.length === 0 ? "--selector=" : ""}${key}=${value}`;
        expect(await type(`show plan ${before}${begun}\t`)).toEqual(["plan", ...head, word]);
      }
    }
    expect(await type("show plan --selector -da\t")).toEqual(["plan", "--selector", "-dash=x"]);
    expect(await type("show plan --selector \\~t\t")).toEqual(["plan", "--selector", "~tilde=x"]);
    nothingRan();
  });

  wholeTest("a name with control characters is no word", async () => {
    const { type } = await openDeskIn(shell);
    for (const key of Object.keys(leftOut)) {
      expect(await type(`show plan --selector ${key}\t`)).toEqual(["plan", "--selector", key]);
    }
  });

  wholeTest(
    "what is half typed is not run, and nothing is told where there is no workspace or a damaged one",
    async () => {
      // By its default key, zsh itself expands what was typed before it completes.
      const first = shell === "zsh" ? "bindkey '^I' complete-word" : undefined;
      const { type, written, nothingRan, desk } = await openDeskIn(shell, first);
      for (const half of [
        "$(touch RUN)",
        "`touch RUN`",
        '"$(touch RUN)',
        "files/$(touch RUN)",
        "$(touch RUN)/",
        "`touch RUN`/f",
        "${X:-$(touch RUN)}/",
        "<(touch RUN)",
      ]) {
        for (const option of ["--target", "--out", "-C"]) {
          expect(await type(`show plan ${option} ${half}\t\u0015show next`)).toEqual(["next"]);
        }
      }
      nothingRan();
      desk.write({ "agentform.yaml": "{", "agentform.lock": "{" });
      expect(await type("show plan --target agent:support-\t")).toEqual([
        "plan",
        "--target",
        "agent:support-2",
      ]);
      expect(await type("show plan -C /nowhere --target agent:support-\t")).toEqual([
        "plan",
        "-C",
        "/nowhere",
        "--target",
        "agent:support-",
      ]);
      expect(await type("show nonsense \t")).toEqual(["nonsense"]);
      expect(written()).not.toMatch(/error|not found|unbound|no matches/);
    },
  );
});

const strict: readonly (readonly [ShellName, string])[] = [
  ["bash", "set -u; set -o pipefail; shopt -s failglob nullglob extglob; IFS=a"],
  ["bash", "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}"],
  ["zsh", "setopt nounset ksharrays shwordsplit globsubst noglob; IFS=a"],
];

test.each(sample("settings of shells", strict, 0))("in %s after `%s`", async (shell, first) => {
  const { type, written } = await openDeskIn(shell, first);
  expect(await type("show pl\t--tar\tagent:support-\t")).toEqual(["plan", "--target", "agent:support-2"]);
  expect(await type("show render --selector team=\t")).toEqual([
    "render",
    "--selector",
    "team=My friends: all",
  ]);
  expect(written()).not.toMatch(/error|not found|unbound|parameter not set|no matches/);
});
