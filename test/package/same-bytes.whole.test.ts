import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";

/** Packs a copy of the files in git, in a folder and with a umask that are not this checkout's; gives the tarball. */
function packIn(folder: string, umask: string): Buffer {
  mkdirSync(folder, { recursive: true });
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    .toString()
    .split("\0")
    .filter((file) => file !== "" && !file.startsWith("test/"));
  const copy = `umask ${umask} && tar cf - --null -T - | tar xf - --no-same-permissions -C "$0"`;
  execFileSync("sh", ["-c", copy, folder], { input: files.join("\0") });
  // As links to files, because a bundler names what it reads by its real path.
  mkdirSync(join(folder, "node_modules"));
  const packages = ["node_modules", "-mindepth", "1", "-maxdepth", "1"];
  execFileSync("find", [...packages, "-exec", "cp", "-al", "-t", join(folder, "node_modules"), "{}", "+"]);
  const pack = `umask ${umask} && npm pack --json`;
  const [{ filename }] = JSON.parse(
    execFileSync("sh", ["-c", pack], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  ) as [{ filename: string }];
  return readFileSync(join(folder, filename));
}

test("the same files give the same package, in any folder and with any umask", () => {
  // On the disk of the packages, and not among them, where no declarations are made.
  mkdirSync(".bytes", { recursive: true });
  const scratch = mkdtempSync(resolve(".bytes/build-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const elsewhere = packIn(join(scratch, "a/folder with/another name"), "077");
  expect(elsewhere.equals(readFileSync(inject("packed").file))).toBe(true);
});

test("what `init --ci` packs is the same from an installed package as from its checkout", () => {
  const scratch = mkdtempSync(join(tmpdir(), "agentform-bytes-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const packedBy = (root: string): Buffer => {
    const folder = mkdtempSync(join(scratch, "desk-"));
    execFileSync(process.execPath, [join(root, "dist/cli.js"), "init", "--ci", "github", "."], {
      cwd: folder,
    });
    return readFileSync(join(folder, ".github/agentform/agentform.tgz"));
  };
  const copy = join(scratch, "checkout");
  for (const part of ["dist", "ci", "LICENSE", "package.json"])
    cpSync(part, join(copy, part), { recursive: true });
  const installed = join(inject("installed"), "node_modules/agentform");
  expect(packedBy(copy).equals(packedBy(installed))).toBe(true);
});
