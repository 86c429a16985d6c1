/** Builds the page's script and style. */
export function buildPage(): Promise<{ readonly script: string; readonly style: string }>;

/** For Vite: answers the import of the built page. */
export function pageForVite(): {
  readonly name: string;
  resolveId(id: string): string | undefined;
  load(id: string): Promise<string> | undefined;
};
