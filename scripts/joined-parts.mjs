import { join, relative, resolve, sep } from "node:path";

/**
 * For esbuild: whatever is imported dynamically also imports what is loaded by then, or what a plan loads. Esbuild makes a file of the modules that the same imports share, which
 * gave a plan seventy files; and opening a file takes Node as long as 30 kB of code.
 */
export function joinedParts(home) {
  const source = (path) => join(home, "src", `${path}.ts`);
  const cli = [source("cli/main"), source("cli/program")];
  const loadedWith = [
    { part: /^cli\/program$/, loaded: [source("cli/main")] },
    { part: /^cli\/(commands\/(completion|help|schema)|help\/.*)$/, loaded: cli },
    { part: /^render\/words\/terminal-text$/, loaded: cli },
    { part: /^service\//, loaded: [source("sync/plan")] },
    { part: /./, loaded: [...cli, source("cli/commands/plan")] },
  ];
  return {
    name: "joined-parts",
    setup(bundle) {
      bundle.onResolve({ filter: /^\.+\/.*\.js$/ }, ({ path, kind, resolveDir }) =>
        kind === "dynamic-import"
          ? { path: resolve(resolveDir, path).replace(/\.js$/, ".ts"), namespace: "part" }
          : undefined,
      );
      bundle.onLoad({ filter: /.*/, namespace: "part" }, ({ path }) => {
        const name = relative(join(home, "src"), path).replace(/\.ts$/, "").replaceAll(sep, "/");
        const { loaded } = loadedWith.find(({ part }) => part.test(name));
        const imports = loaded.map((each) => `import ${JSON.stringify(each)};\n`).join("");
        return { contents: `${imports}export * from ${JSON.stringify(path)};\n`, resolveDir: home };
      });
    },
  };
}
