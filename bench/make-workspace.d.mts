/** Writes the workspace of a service at `url`; the same arguments give the same bytes. */
export function makeWorkspace(directory: string, count: number, perFile?: number, url?: string): void;
