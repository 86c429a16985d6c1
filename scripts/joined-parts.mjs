import { join, relative, resolve, sep } from "node:path";

/**
 * For esbuild: whatever is imported dynamically also imports what is loaded by then, or what a plan loads. Esbuild makes a file of the modules that the same imports share, which
 * gave a plan seventy files; and opening a file takes Node as long as 30 kB of code.
 */
export function joinedParts(home) {
  const source = (path) => `./src/${path}.ts`;
  const cli = [source("cli/main"), source("cli/program")];
  const loadedWith = [
    { part: /^cli\/program$/, loaded: [source("cli/main")] },
    // The help for programs loads the commands, which load what a plan does.
    { part: /^cli\/(commands\/(completion|help|schema)|help\/(?!help-json).*)$/, loaded: cli },
    { part: /^render\/words\/terminal-text$/, loaded: cli },
    { part: /^service\//, loaded: [source("sync/plan")] },
    { part: /./, loaded: [...cli, source("cli/commands/plan")] },
  ];
  // Names of files are made from it, so the folder of the build is no part of it.
  const partAt = (path) => relative(join(home, "src"), path).replace(/\.js$/, "").replaceAll(sep, "/");
  return {
    name: "joined-parts",
    setup(bundle) {
      bundle.onResolve({ filter: /^\.+\/.*\.js$/ }, ({ path, kind, resolveDir }) =>
        kind === "dynamic-import"
          ? { path: partAt(resolve(resolveDir, path)), namespace: "part" }
          : undefined,
      );
      bundle.onLoad({ filter: /.*/, namespace: "part" }, ({ path }) => {
        const { loaded } = loadedWith.find(({ part }) => part.test(path));
        const imports = loaded.map((each) => `import ${JSON.stringify(each)};\n`).join("");
        return { contents: `${imports}export * from ${JSON.stringify(source(path))};\n`, resolveDir: home };
      });
    },
  };
}
