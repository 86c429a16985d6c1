const { dirname, isAbsolute, relative } = require("node:path");

/**
 * Gives the command line of agentform, as a process is started with it. A shell reads it where `shell` is true, so
 * each part is quoted then.
 */
function commandLine({ command, environment }, args, shell) {
  // A workspace may set it, and a shell would read it.
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(environment);
  const parts = [...command, ...args, ...(isName ? ["-e", environment] : [])];
  const [program, ...rest] = shell ? parts.map((part) => `"${part.replaceAll('"', '""')}"`) : parts;
  return { command: program, args: rest };
}

/** Gives the innermost of the folders with a manifest that a file is in, or nothing. */
function folderOf(file, manifests) {
  return manifests
    .map((manifest) => dirname(manifest))
    .filter((folder) => isBelow(file, folder))
    .toSorted((a, b) => b.length - a.length)[0];
}

function isBelow(file, folder) {
  const way = relative(folder, file);
  return way !== "" && way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
}

module.exports = { commandLine, folderOf };
