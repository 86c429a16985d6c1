/** Words of other tools, such as a command or an option with its dashes, and what to type here. */
export const answers: readonly (readonly [words: readonly string[], answer: string])[] = [
  [
    ["destroy", "delete", "remove", "rm", "uninstall", "down", "--destroy"],
    "remove the documents, and `agentform apply` forgets their resources; those with `lifecycle: {on_removal: delete}` are deleted",
  ],
  [["state rm"], "remove the document, and `agentform apply` forgets its resource"],
  [["state mv"], "rename the document, and write its old address under `lifecycle.moved_from`"],
  [["state show", "describe", "inspect"], "`agentform lock show ADDR` shows one resource"],
  [
    ["state", "get", "list", "ls", "status", "resources"],
    "`agentform lock list` lists the managed resources, and `agentform lock show ADDR` shows one",
  ],
  [["fmt", "format"], "any formatter for YAML will do; `agentform validate` checks the documents"],
  [["lint", "check", "test", "verify"], "`agentform validate` finds every mistake in the documents"],
  [
    ["diff", "preview", "whatif", "--dry-run", "--what-if"],
    "`agentform plan` shows what an apply would change, and changes nothing",
  ],
  [
    ["refresh", "detect", "--refresh-only"],
    "`agentform drift` shows what was changed in the service by hand",
  ],
  [
    ["create", "deploy", "up", "run", "sync", "push", "release"],
    "`agentform apply` makes the service match the documents",
  ],
  [["edit", "patch", "set", "scale"], "edit the documents, then run `agentform plan` and `agentform apply`"],
  [
    ["rollback", "undo", "revert"],
    "take the change back with `git revert`, then run `agentform plan` and `agentform apply`",
  ],
  [["taint", "replace"], "`agentform apply --replace ADDR` creates a resource again"],
  [
    ["force-unlock"],
    "`agentform lock status` tells who holds the state, and `agentform lock unlock NONCE` releases it",
  ],
  [["new", "start", "quickstart"], "`agentform init DIR` makes a workspace"],
  [["outputs"], "`agentform output` gives the IDs to applications"],
  [["man", "docs"], "`agentform help` lists the commands and the topics"],
  [["version"], "`agentform --version` prints it"],
  [
    ["workspace", "env", "environment", "context", "stack", "use"],
    "environments are in agentform.yaml: choose one with `-e NAME`; `agentform help environments` explains them",
  ],
  [
    ["--env", "--context", "--namespace", "-n", "--stack", "--stage", "--profile"],
    "`-e NAME` chooses the environment",
  ],
  [
    [
      "--auto-approve",
      "--approve",
      "--assume-yes",
      "--force",
      "--non-interactive",
      "--no-input",
      "-y",
      "--yes",
    ],
    "`agentform apply --yes` asks no question; it goes with `--expect DIGEST`, the digest of a plan that was reviewed",
  ],
  [
    ["-f", "--filename", "--file", "-k", "-R", "--recursive"],
    "all documents of the workspace are read together: `-C DIR` names its folder, and `--target ADDR` limits a plan or an apply",
  ],
  [["--chdir", "--cwd", "--dir"], "`-C DIR` names the folder of the workspace"],
  [["-l", "--label"], "`--selector KEY=VALUE` selects by label"],
  [["-o", "--output", "--json"], "`--format` chooses the form of the result, and `--out FILE` saves a plan"],
  [
    ["--parallelism", "--parallel", "-j"],
    "`--concurrency` of `agentform apply` limits the requests in flight",
  ],
  [["--values", "--var-files"], "`--var-file FILE` reads the values of variables"],
  [["-v", "--debug", "--trace"], "`--verbose` prints details"],
];

const byWords = new Map(answers.flatMap(([words, answer]) => words.map((each) => [each, answer] as const)));

/** Gives what to type here in the place of another tool's command or option; the longest known words count. */
export function answerOtherTool([first = "", second = ""]: readonly string[]): string | undefined {
  if (!first.startsWith("-")) return byWords.get(`${first} ${second}`) ?? byWords.get(first);
  // Terraform writes its long options with one dash; what comes after `=` is a value.
  const name = first.replace(/=[^]*$/, "");
  return byWords.get(name) ?? byWords.get(name.replace(/^-(?!-)/, "--"));
}
