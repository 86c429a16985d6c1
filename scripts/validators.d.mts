import type { Plugin } from "esbuild";

/** For esbuild: answers the imports of validators. */
export function validatorsForEsbuild(): Plugin;

/** For Vite: answers the imports of validators. */
export function validatorsForVite(): {
  readonly name: string;
  readonly enforce: "pre";
  resolveId(id: string): string | undefined;
  load(id: string): Promise<string> | undefined;
};
