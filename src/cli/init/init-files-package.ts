import type { OwnPackage } from "./own-package.js";

const tarball = "agentform.tgz";

/** The files from which a job installs agentform, by their names in the folder. */
export const installedFiles = ["package.json", "package-lock.json", tarball] as const;

/**
 * Gives the files of a folder with agentform itself, so that a CI installs what is in the repository and asks no
 * registry for a name: npm refuses a tarball that does not match the lock file.
 */
export function packageFiles(folder: string, own: OwnPackage): Readonly<Record<string, string | Uint8Array>> {
  return {
    [`${folder}/package.json`]: json(manifest),
    [`${folder}/package-lock.json`]: json(lockOf(own)),
    [`${folder}/${tarball}`]: own.tarball,
    // Git must not change a byte of them, whatever the repository sets for line ends.
    [`${folder}/.gitattributes`]: "* -text\n",
    // A repository often ignores tarballs.
    [`${folder}/.gitignore`]: "!*\n",
  };
}

const manifest = {
  name: "agentform-in-ci",
  version: "0.0.0",
  private: true,
  dependencies: { agentform: `file:${tarball}` },
};

function lockOf({ version, integrity }: OwnPackage): object {
  const { name, version: own, dependencies } = manifest;
  const agentform = {
    version,
    resolved: `file:${tarball}`,
    integrity,
    license: "MIT",
    bin: { agentform: "dist/cli.js" },
    engines: { node: "^20.19 || >=22.3" },
  };
  return {
    name,
    version: own,
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name, version: own, dependencies }, "node_modules/agentform": agentform },
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
