import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/emulator.js";
import { JournalWriter } from "../../src/core/state/journal.js";
import { documentText } from "../harness/disk-workspace.js";
import { sample, wholeTest } from "../harness/tier.js";
import { git, makeGitMedium } from "../store/git-medium.js";
import { accessKey, S3Server } from "../store/s3-server.js";
import { StateServer } from "../store/state-server.js";
import { runIn } from "./desk.js";

/** What a manifest names. */
interface Named {
  readonly name?: string;
  readonly environments?: readonly string[];
  readonly lock?: object;
  readonly service?: string;
  readonly policies?: readonly string[];
  readonly uses?: object;
}

/** A repository with a remote, a service, and servers for states. */
async function openSite() {
  const [medium, service, state, bucket] = [
    makeGitMedium(),
    await startEmulator(),
    await StateServer.start({ form: "gitlab" }),
    await S3Server.start(),
  ];
  const folder = mkdtempSync(join(tmpdir(), "agentform-begun-"));
  onTestFinished(async () => {
    for (const each of [service, state, bucket]) await each.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    CI_API_V4_URL: state.api,
    AWS_ACCESS_KEY_ID: accessKey.id,
    AWS_SECRET_ACCESS_KEY: accessKey.secret,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_ENDPOINT_URL_S3: bucket.origin,
  };
  const author = medium.clone("author");
  writeFileSync(join(author, ".gitignore"), ".agentform/\n");
  return {
    service,
    author,
    stores: {
      file: { store: "file" },
      git: { store: "git" },
      http: { store: "http", gitlab: { project: "group/desk" } },
      s3: { store: "s3", bucket: "test-bucket", key: "desk.json", endpoint: bucket.origin },
    },
    /** Writes a workspace into a folder of the author's clone. */
    write(named: Named, at = "desk") {
      const { name = "desk", environments, lock = { store: "git" }, policies = ["strict", "lax"] } = named;
      const url = named.service ?? service.url;
      const spec = {
        service: {
          base_url: url,
          rai_base_url: url,
          api_key: "${env:AGENT_API_KEY}",
          operations: { policy: { delete: "DELETE /v1/rai/policies/{id}" } },
        },
        lock,
        include: ["policies.yaml"],
        ...(named.uses && { uses: named.uses }),
        ...(environments && { environments: Object.fromEntries(environments.map((each) => [each, {}])) }),
      };
      const manifest = { apiVersion: "agentform/v1", kind: "Workspace", metadata: { name }, spec };
      const file = join(author, at, "agentform.yaml");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(manifest));
      const documents = policies.map((policy) => documentText("Policy", policy, { name: policy }));
      writeFileSync(join(author, at, "policies.yaml"), documents.join("\n---\n"));
    },
    commit(branch = "main") {
      git(author, "add", "-A");
      git(author, "commit", "-q", "-m", "change");
      git(author, "push", "-q", "origin", `HEAD:${branch}`);
    },
    /** A fresh clone, as a job of CI has it. */
    clone(...options: string[]) {
      const directory = mkdtempSync(join(folder, "clone-"));
      git(folder, "clone", "-q", ...options, `file://${medium.remote}`, directory);
      return directory;
    },
    run: (...args: string[]) => runIn(join(author, "desk"), args, env),
    runIn: (directory: string, ...args: string[]) => runIn(join(directory, "desk"), args, env),
  };
}

const commands = [["plan"], ["apply", "--yes"], ["output", "--format", "dotenv"], ["lock", "list"]];

const ways = [
  ["git", "file"],
  ["git", "http"],
  ["http", "file"],
  ["http", "s3"],
  ["s3", "git"],
  ["file", "s3"],
] as const;

wholeTest(
  "a clone that has no ref of a state, with a manifest that names files instead, begins nothing",
  async () => {
    const { write, commit, stores, run, clone, runIn, service } = await openSite();
    write({});
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    write({ lock: stores.file });
    commit();
    for (const args of [["plan"], ["apply", "--yes"]])
      expect(await runIn(clone(), ...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining("lock-left-behind"),
      });
    expect(service.objects().policies).toHaveLength(2);
  },
);

test("a branch from before the first apply begins nothing that another branch has, once that is fetched", async () => {
  const { write, commit, stores, run, clone, runIn, service } = await openSite();
  write({ lock: stores.file });
  commit();
  const [directory, another] = [clone(), clone()];
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  commit();
  for (const each of [directory, another]) {
    git(each, "checkout", "-q", "--no-track", "-b", "feature");
    git(each, "fetch", "-q");
  }
  const sent = service.requests.length;
  const { code, err } = await runIn(directory, "apply", "--yes");
  expect([code, err]).toEqual([1, expect.stringContaining("error[lock-behind]: ")]);
  expect(err).toContain("branch origin/");
  expect(service.requests).toHaveLength(sent);
  git(directory, "merge", "-q", "origin/main");
  expect(await runIn(directory, "apply", "--yes")).toMatchObject({ code: 0 });
  // The same names at another installation are other objects.
  const other = await startEmulator();
  onTestFinished(() => other.close());
  const manifest = join(another, "desk", "agentform.yaml");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll(service.url, other.url));
  expect(await runIn(another, "apply", "--yes")).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(sent);
});

test("a checkout of before a move of the folder goes on with nothing that was applied after it", async () => {
  const { write, commit, stores, run, author, clone, runIn, service } = await openSite();
  const lock = stores.file;
  write({ lock });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  commit();
  const old = clone();
  mkdirSync(join(author, "team"));
  git(author, "mv", "desk", "team/desk");
  write({ lock, policies: ["strict", "lax", "third"] }, "team/desk");
  expect(await runIn(join(author, "team"), "apply", "--yes")).toMatchObject({ code: 0 });
  commit();
  expect(service.objects().policies).toHaveLength(3);
  const behind = (where: string) => ({
    code: 1,
    err: expect.stringMatching(new RegExp(`lock-behind.*${where}`)),
  });
  git(old, "fetch", "-q");
  cpSync(join(author, "team", "desk", "policies.yaml"), join(old, "desk", "policies.yaml"));
  expect(await runIn(old, "apply", "--yes")).toMatchObject(behind("branch origin/|origin/"));
  // The same in a new history, which has the earlier folder again.
  const moved = git(author, "rev-parse", "HEAD").trim();
  git(author, "rm", "-r", "-q", "team");
  git(author, "checkout", "HEAD~1", "--", "desk");
  write({ lock, policies: ["strict", "lax", "third"] });
  commit();
  for (const args of [["plan"], ["apply", "--yes"]])
    expect(await run(...args)).toMatchObject(behind(`commit ${moved.slice(0, 10)}`));
  expect(await run("lock", "restore")).toMatchObject({ code: 0 });
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  expect(service.objects().policies).toHaveLength(3);
});

test.each(sample("stores named without a move", ways, 0))(
  "a manifest that names the store after %s without a move, %s, begins nothing",
  async (from, to) => {
    const { write, stores, run, service } = await openSite();
    write({ lock: stores[from] });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    write({ lock: stores[to] });
    for (const command of commands) {
      const { code, err } = await run(...command);
      expect({ command, code, err }).toEqual({
        command,
        code: 1,
        err: expect.stringContaining("lock-left-behind"),
      });
      expect(err).toMatch(/run `agentform lock move --to '\{store: /);
    }
    write({ lock: stores[from] });
    expect(await run("lock", "move", "--to", JSON.stringify(stores[to]))).toMatchObject({ code: 0 });
    write({ lock: stores[to] });
    expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
    expect(service.objects().policies).toHaveLength(2);
  },
);

test.each(sample("stores of a new name", ["file", "git", "http"] as const, 0))(
  "a new name of the workspace or of an environment begins nothing where the state is in the store %s",
  async (store) => {
    const { write, stores, run, service } = await openSite();
    const lock = stores[store];
    write({ lock, environments: ["live"] });
    expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
    for (const [named, of, command] of [
      [{ name: "office", environments: ["live"] }, "live", "agentform lock move --from-workspace desk"],
      [
        { environments: ["production"] },
        "production",
        "agentform lock move --from-environment live -e production",
      ],
      [
        { name: "office", environments: ["production"] },
        "production",
        "agentform lock move --from-workspace desk` with the environment `live` declared in place of `production`, and `agentform lock move --from-environment live -e production",
      ],
    ] as const) {
      write({ lock, ...named });
      for (const words of commands) {
        const { code, err } = await run(...words, "-e", of);
        expect({ words, code, err }).toEqual({
          words,
          code: 1,
          err: expect.stringContaining(`run \`${command}\``),
        });
      }
    }
    write({ lock, name: "office", environments: ["live"] });
    expect(await run("lock", "move", "--from-workspace", "desk")).toMatchObject({ code: 0 });
    write({ lock, name: "office", environments: ["production"] });
    expect(await run("lock", "move", "--from-environment", "live", "-e", "production")).toMatchObject({
      code: 0,
    });
    expect(await run("plan", "--detailed-exitcode", "-e", "production")).toMatchObject({ code: 0 });
    // What is new cannot have a name that is given up, and is told so.
    write({ lock, name: "office", environments: ["production", "live"] });
    const again = await run("apply", "--yes", "-e", "live");
    expect([again.code, again.err]).toEqual([4, expect.stringContaining("a name that no state had")]);
    expect(service.objects().policies).toHaveLength(2);
  },
);

test("a lock that a moved manifest left is found under an earlier name, too, unless another workspace has it", async () => {
  const { author, write, commit, stores, run, service } = await openSite();
  const lock = stores.file;
  write({ lock, environments: ["live"] });
  expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
  const name = "agentform.live.lock";
  mkdirSync(join(author, "old"));
  renameSync(join(author, "desk", name), join(author, "old", name));
  commit();
  for (const [named, of] of [
    [{ name: "office", environments: ["live"] }, "live"],
    [{ environments: ["production"] }, "production"],
    [{ name: "office", environments: ["production"] }, "production"],
  ] as const) {
    write({ lock, ...named });
    expect(await run("apply", "--yes", "-e", of)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`old/${name} of this repository has the state of the workspace \`desk\``),
    });
  }
  expect(service.objects().policies).toHaveLength(2);
  write({ lock, environments: ["live"] }, "elsewhere");
  expect((await run("plan", "-e", "production")).err).not.toContain("lock-left-behind");
});

test("a first apply that has died is found by its journal alone", async () => {
  const { write, author, run, stores, service } = await openSite();
  const lock = stores.file;
  const both = ["live", "other"];
  const renders = new JournalWriter();
  const id = "66f1c0de0000000000000001";
  const base_url = service.url;
  const owner = { workspace: "desk", environment: "live", lineage: "first", serial: 0, write: "w1" };
  const begin = { time: "now", method: "POST", path: "/v1/rai/policies", body: {}, digest: "sha256:1" };
  const address = { base_url, rai_base_url: base_url };
  const resolve = () => run("lock", "resolve", "policy:lax", "--adopt", id, "-e", "other");
  write({ lock, environments: both });
  const journal = join(author, "desk", "agentform.live.lock.journal");
  writeFileSync(
    journal,
    [
      renders.render({ type: "header", format: "agentform/journal/v1", ...owner, service: address }),
      renders.render({ type: "begin", n: 1, address: "policy:strict", operation: "create", ...begin }),
      renders.render({ type: "done", n: 1, id }),
    ].join(""),
  );
  const taken = (where: string) => ({
    code: 1,
    err: expect.stringContaining(`cannot have the ID ${id}: ${where} has it`),
  });
  expect(await resolve()).toMatchObject(taken("the environment `live`"));
  // In a folder without a manifest, too.
  const gone = join(author, "gone", "agentform.live.lock.journal");
  mkdirSync(dirname(gone));
  renameSync(journal, gone);
  expect(await resolve()).toMatchObject(taken("the workspace in `gone`"));
  renameSync(gone, journal);
  for (const [named, of, hint] of [
    [{ lock: stores.git, environments: both }, "live", "lock move --to '{store: git}'"],
    [{ lock, name: "office", environments: both }, "live", "lock move --from-workspace desk"],
    [{ lock, environments: ["new", "other"] }, "new", "lock move --from-environment live -e new"],
  ] as const) {
    write(named);
    for (const words of [["plan"], ["apply", "--yes"]]) {
      const { code, err } = await run(...words, "-e", of);
      expect([code, err]).toEqual([1, expect.stringContaining(`run \`agentform ${hint}`)]);
    }
  }
  expect(service.objects().policies).toHaveLength(0);
  // One ref for all says by its text alone of which environment it is.
  const ref = "refs/agentform/fixed";
  const blob = git(author, "hash-object", "-w", journal).trim();
  git(author, "update-index", "--add", "--cacheinfo", `100644,${blob},journal`);
  const commit = git(author, "commit-tree", "-m", "state", git(author, "write-tree").trim()).trim();
  git(author, "push", "-q", "origin", `${commit}:${ref}`);
  write({ lock: { store: "git", ref }, name: "office", environments: ["live"] });
  expect(await run("lock", "move", "--from-workspace", "desk")).toMatchObject({ code: 0 });
  write({ lock, environments: ["new", "other"] });
  expect(await run("lock", "move", "--from-environment", "live", "-e", "new")).toMatchObject({ code: 0 });
  expect((await run("lock", "list", "-e", "new")).out).toContain(id);
});

test("a lock from before its environment was renamed leads to the new name, and its state is restored there", async () => {
  const { write, commit, author, run, stores } = await openSite();
  const lock = stores.file;
  write({ lock, environments: ["live"] });
  expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
  commit();
  write({ lock, environments: ["production"] });
  expect(await run("lock", "move", "--from-environment", "live", "-e", "production")).toMatchObject({
    code: 0,
  });
  git(author, "checkout", "-q", "--", ".");
  git(author, "clean", "-q", "-f", "-d");
  const { code, err } = await run("plan", "-e", "live");
  expect(code).toBe(4);
  expect(err).toContain(
    "is older than the new name of its state, which is now that of `desk` in `production`",
  );
  expect(err).not.toContain("spec.lock");
  expect(err).toContain("delete agentform.live.lock, and run `agentform lock restore -e production`");

  write({ lock, environments: ["production"] });
  rmSync(join(author, "desk", "agentform.live.lock"));
  expect(await run("lock", "restore", "-e", "production")).toMatchObject({ code: 0 });
  expect(await run("plan", "--detailed-exitcode", "-e", "production")).toMatchObject({ code: 0, err: "" });
});

wholeTest(
  "a workspace that uses this one, or has an environment of the same name, hides no state of before",
  async () => {
    const { write, commit, author, run } = await openSite();
    write({ environments: ["live"] });
    expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
    commit();
    const user = { name: "shop", environments: ["live"], uses: { desk: { workspace: "../desk" } } };
    const begins = async () => {
      write({ name: "office", environments: ["live"] });
      expect((await run("plan", "-e", "live")).err).toContain("lock move --from-workspace desk");
      write({ environments: ["production"] });
      expect((await run("plan", "-e", "production")).err).toContain("lock move --from-environment live");
    };
    write(user, "shop");
    await begins();
    // The same of what only another branch has, which may have line ends in the names of its folders.
    git(author, "checkout", "-q", "-b", "more");
    for (const folder of ["a\nb", "shop"]) write(user, folder);
    commit("more");
    git(author, "checkout", "-q", "main");
    await begins();
  },
);

// As git signs: the command reads the commit, without which git cannot write it, and says on its standard error that it did.
const signs = `#!/bin/sh
case "$*" in *--verify*) touch "$0.ran"; exit 1 ;; esac
cat >/dev/null
echo '[GNUPG:] SIG_CREATED D' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\n-----END PGP SIGNATURE-----\\n'
`;
const converts = '#!/bin/sh\ntouch "$0.ran"\nexit 1\n';

test.each(
  sample(
    "configurations of git",
    [
      ["colours everything", [["color.ui", "always"]], ""],
      ["converts files that a commit names", [["diff.mine.textconv", "COMMAND"]], converts],
      [
        "verifies what a commit has as its signature",
        [
          ["gpg.program", "COMMAND"],
          ["log.showSignature", "true"],
          ["commit.gpgSign", "true"],
        ],
        signs,
      ],
    ] as const,
    1,
  ),
)(
  "a new name begins nothing either where git %s, and git runs nothing for it",
  async (_, configuration, text) => {
    const { write, commit, author, run, service } = await openSite();
    const command = join(author, "..", "command");
    writeFileSync(command, text, { mode: 0o755 });
    for (const [key, value] of configuration) git(author, "config", key, value.replace("COMMAND", command));
    writeFileSync(join(author, ".gitattributes"), "agentform.yaml diff=mine\n");
    write({});
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    commit();
    write({ name: "office" });
    expect(await run("apply", "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("lock-left-behind"),
    });
    expect(existsSync(`${command}.ran`)).toBe(false);
    expect(service.objects().policies).toHaveLength(2);
  },
);

wholeTest("a new name and a new place at once are moved one after the other, as the hint says", async () => {
  const { write, run, service } = await openSite();
  const place = { store: "git", ref: "refs/agentform/fixed" };
  write({});
  expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
  write({ name: "office", lock: place });
  const { code, err } = await run("plan");
  expect(code).toBe(1);
  expect(err).toContain("set `spec.lock` to `{store: git}` again");
  const [, from = ""] = /run `agentform (lock move --from-workspace desk)`/.exec(err) ?? [];
  const [, to = ""] = /then `agentform lock move --to '([^']*)'`/.exec(err) ?? [];
  write({ name: "office", lock: { store: "git" } });
  expect(await run(...from.split(" "))).toMatchObject({ code: 0 });
  expect(await run("lock", "move", "--to", to)).toMatchObject({ code: 0 });
  write({ name: "office", lock: place });
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  expect(service.objects().policies).toHaveLength(2);
});

test.each(sample("clones", [[], ["--depth", "1"]], 0))(
  "a fresh clone (%s %s) finds at its remote the state of the name from before",
  async (...options) => {
    const { write, commit, clone, run, runIn: runInClone, service } = await openSite();
    write({});
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    commit();
    write({ name: "office" });
    commit();
    const directory = clone(...options);
    const { code, err } = await runInClone(directory, "apply", "--yes");
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("refs/agentform/desk/default has the state"),
    });
    expect(err).toContain("2 of the same addresses");
    expect(await runInClone(directory, "lock", "move", "--from-workspace", "desk")).toMatchObject({
      code: 0,
    });
    expect(await runInClone(directory, "plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
    expect(service.objects().policies).toHaveLength(2);
  },
);

test.each(sample("stores that prune after a new name", ["git", "file"] as const, 0))(
  "what has a new name in the store %s keeps no prune from deleting",
  async (store) => {
    const { write, stores, run } = await openSite();
    const lock = stores[store];
    write({ lock });
    expect(await run("apply", "--yes")).toMatchObject({ code: 0 });
    write({ lock, environments: ["live"] });
    expect(await run("lock", "move", "--from-environment", "default", "-e", "live")).toMatchObject({
      code: 0,
    });
    write({ lock, environments: ["live"], policies: ["strict"] });
    expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
    const pruned = await run("prune", "--yes", "-e", "live");
    expect(pruned).toMatchObject({ code: 0, err: expect.stringContaining("policy:lax: deleted") });
  },
);

wholeTest(
  "what is no state of this workspace under another name does not keep it from beginning",
  async () => {
    const { write, commit, author, run, runIn: runInClone, clone } = await openSite();
    const second = await startEmulator();
    onTestFinished(() => second.close());
    const begins = async (named: Named) => {
      write({ name: "desk", ...named });
      const of = named.environments?.[0];
      expect(await run("plan", "--detailed-exitcode", ...(of === undefined ? [] : ["-e", of]))).toMatchObject(
        {
          code: 2,
        },
      );
    };
    // A workspace beside it.
    write({ name: "shop" }, "shop");
    expect(await runIn(join(author, "shop"), ["apply", "--yes"])).toMatchObject({ code: 0 });
    await begins({});
    commit();
    // A workspace that only another branch has, and an environment that only another branch has.
    git(author, "checkout", "-q", "-b", "more");
    write({ name: "mill" }, "mill");
    expect(await runIn(join(author, "mill"), ["apply", "--yes"])).toMatchObject({ code: 0 });
    write({ environments: ["trial"] });
    expect(await run("apply", "--yes", "-e", "trial")).toMatchObject({ code: 0 });
    commit("more");
    git(author, "checkout", "-q", "main");
    await begins({});
    await begins({ environments: ["live"] });
    git(author, "checkout", "-q", "desk");
    expect((await runInClone(clone(), "plan", "--detailed-exitcode")).code).toBe(2);
    // Other environments of the manifest, another service, and other addresses.
    write({ environments: ["live"] });
    expect(await run("apply", "--yes", "-e", "live")).toMatchObject({ code: 0 });
    await begins({ environments: ["next", "live"] });
    await begins({ environments: ["next"], service: second.url });
    await begins({ environments: ["next"], policies: ["other"] });
    write({ environments: ["next"] });
    const { code, err } = await run("plan", "-e", "next");
    expect(code).toBe(1);
    const [, discard = ""] = /to be created anew, run `([^`]+)`/.exec(err) ?? [];
    git(author, ...discard.split(" ").slice(1));
    git(author, "push", "-q", "origin", ":refs/agentform/desk/live");
    expect(await run("plan", "-e", "next", "--detailed-exitcode")).toMatchObject({ code: 2 });
  },
);

test("a move of what was never applied leaves nothing in the repository", async () => {
  const { write, author, run } = await openSite();
  write({ name: "office" });
  const moved = await run("lock", "move", "--from-workspace", "desk");
  expect(moved).toMatchObject({ code: 1, err: expect.stringContaining("so there is nothing to rename") });
  for (const at of [[], ["origin"]]) {
    expect(git(author, ...(at.length > 0 ? ["ls-remote", ...at] : ["for-each-ref"]))).not.toContain(
      "refs/agentform",
    );
  }
});
