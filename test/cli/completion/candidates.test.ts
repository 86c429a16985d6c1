import { beforeAll, describe, expect, test } from "vitest";
import type { CommandEntry } from "../../../src/cli/command.js";
import { commands } from "../../../src/cli/commands.js";
import { findCandidates, type NameSource } from "../../../src/cli/completion/candidates.js";
import type { CommandWords, ValueWords } from "../../../src/cli/completion/command-words.js";
import { readCommands } from "../../../src/cli/completion/read-commands.js";
import { valueOf } from "../../../src/cli/completion/value-words.js";
import type { KnownNames, NamesOf } from "../../../src/workspace/known-names.js";
import { anyCharacter, fc } from "../../harness/property.js";

const known: Readonly<Record<NamesOf, KnownNames>> = {
  environments: { environments: ["production", "staging"] },
  workspace: {
    addresses: ["agent:support", "agent:triage", "policy:strict"],
    labels: ["team=My friends", "team=care", "tier=1"],
    variables: ["model", "region"],
  },
  state: { addresses: ["agent:old", "agent:support"], retired: ["66f1", "66f2"] },
  "emulated-state": {},
};

let program: CommandWords;
beforeAll(async () => {
  program = await readCommands(commands);
});

function find(words: readonly string[], names: NameSource = (of) => known[of]) {
  const found = findCandidates(words, program, names);
  return found.type === "words" ? found.words.map(({ word }) => word) : found.type;
}

describe("the definitions of the commands", () => {
  test("say of every value what it may be", () => {
    expect(() => valueOf("nonsense", undefined)).toThrow("<nonsense>");
    expect(valueOf("nonsense", ["one"])).toEqual({ words: ["one"] });
  });

  test("are all that can be typed", () => {
    const check = (entries: readonly CommandEntry[], before: readonly string[]) => {
      expect(find([...before, ""])).toEqual(entries.map(({ name }) => name));
      for (const entry of entries) {
        if ("commands" in entry) check(entry.commands, [...before, entry.name]);
        else expect(find([...before, entry.name, "--"])).toContain("--environment");
      }
    };
    check(commands, []);
    expect(find(["--v"])).toEqual(["--version"]);
    expect(find(["nonsense", ""])).toEqual([]);
  });
});

describe("an option", () => {
  test("is not offered again, unless it may be repeated", () => {
    expect(find(["plan", "--ta"])).toEqual(["--target"]);
    expect(find(["plan", "--target", "agent:support", "--ta"])).toEqual(["--target"]);
    expect(find(["plan", "--out", "p", "--o"])).toEqual(["--observed"]);
    expect(find(["plan", "-C", "x", "--wo"])).toEqual([]);
    expect(find(["plan", "-Cx", "--wo"])).toEqual([]);
    expect(find(["plan", "--workspace=x", "--wo"])).toEqual([]);
  });

  test("is none behind `--`, nor where it is a value", () => {
    expect(find(["render", "--", "--f"])).toEqual([]);
    expect(find(["render", "--", "agent:s"])).toEqual(["agent:support"]);
    expect(find(["plan", "--target", "--f"])).toEqual([]);
  });
});

test.each<[line: readonly string[], words: readonly string[] | string]>([
  [["plan", "--format", "m"], ["markdown"]],
  [["plan", "--format=m"], ["--format=markdown"]],
  [
    ["plan", "--target", "agent:"],
    ["agent:old", "agent:support", "agent:triage"],
  ],
  [["plan", "--target=agent:s"], ["--target=agent:support"]],
  [["plan", "--exclude", "pol"], ["policy:strict"]],
  [["plan", "--replace", "pol"], ["policy:strict"]],
  [
    ["plan", "--resend", "a"],
    ["all", "agent:old", "agent:support", "agent:triage"],
  ],
  [["graph", "--around", "pol"], ["policy:strict"]],
  [
    ["plan", "--against", ""],
    ["default", "production", "staging"],
  ],
  [["plan", "-e", "p"], ["production"]],
  [["plan", "--environment=p"], ["--environment=production"]],
  [
    ["plan", "--selector", "team="],
    ["team=My friends", "team=care"],
  ],
  [["plan", "--selector=team=M"], ["--selector=team=My friends"]],
  [
    ["plan", "--var", ""],
    ["model=", "region="],
  ],
  [
    ["plan", "--fail-on", ""],
    ["weakens", "widens", "review"],
  ],
  [
    ["plan", "--fail-on", "widens,"],
    ["widens,weakens", "widens,review"],
  ],
  [["plan", "--fail-on=widens,r"], ["--fail-on=widens,review"]],
  [["plan", "--changed-since", ""], []],
  [["plan", "--out", ""], "files"],
  [["plan", "--out=x"], "files"],
  [["plan", "-C", ""], "folders"],
  [["apply", ""], "files"],
  [["apply", "--concurrency", ""], []],
  [["lock", "show", "agent:o"], ["agent:old"]],
  [["lock", "resolve", "agent:s"], ["agent:support"]],
  [["lock", "resolve", "agent:support", ""], []],
  [["render", "agent:old", "agent:support", "agent:t"], ["agent:triage"]],
  [
    ["prune", ""],
    ["66f1", "66f2"],
  ],
  [["prune", "66f1", ""], ["66f2"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["schema", "ag"], ["agent"]],
  [["import", "pol"], ["policy"]],
  [["emulator", "--data", ""], "folders"],
  [
    ["lock", "re"],
    ["retired", "resolve", "restore"],
  ],
])("%j may become %j", (line, words) => {
  expect(find(line)).toEqual(words);
});

test("an argument may be a command, word by word, or something else", () => {
  const value: ValueWords = { source: "command", words: ["references"] };
  const help = {
    name: "help",
    about: "",
    commands: [],
    options: [],
    arguments: [{ value, isVariadic: true }],
  };
  const more = { ...program, commands: [...program.commands, help] };
  const words = (...line: readonly string[]) => {
    const found = findCandidates(line, more, () => ({}));
    return found.type === "words" ? found.words.map(({ word }) => word) : [];
  };
  expect(words("help", "re")).toEqual(["render", "references"]);
  expect(words("help", "lock", "re")).toEqual(["retired", "resolve", "restore"]);
  expect(words("help", "nonsense", "")).toEqual([]);
});

test("names are those of the workspace and environment that the line has named", () => {
  const asked: unknown[] = [];
  const names: NameSource = (of, surroundings) => {
    asked.push({ of, ...surroundings });
    return {};
  };
  find(["lock", "show", "-C", "a b", "-eprod", "--emulator", "--no-cache", ""], names);
  const surroundings = { workspace: "a b", environment: "prod", isEmulated: true, usesCache: false };
  expect(asked).toEqual([
    { of: "workspace", ...surroundings },
    { of: "state", ...surroundings },
  ]);
});

test("a name that a terminal does not show as it is, or that a log takes for a command, is left out", () => {
  const hostile = ["a\nb", "a\tb", "a\0b", "a\x1b[31mb", "a\u202eb", "a\u200bb", "a\u2028b", "a\ud800b"];
  const labels = [...hostile, "::error::x", "##[error]x", "team=ü ☃ $(x)"];
  expect(find(["plan", "--selector", ""], () => ({ labels }))).toEqual(["team=ü ☃ $(x)"]);
});

test("a line may be anything", () => {
  const word = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      "plan",
      "lock",
      "show",
      "-C",
      "-e",
      "--target",
      "--target=",
      "--",
      "-",
      "--fail-on",
      ",",
      "=",
    ),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const found = find(words);
      const last = words.at(-1) ?? "";
      expect(typeof found === "string" || found.every((each) => each.startsWith(last))).toBe(true);
    }),
  );
});
