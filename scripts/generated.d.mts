/** Makes `src/generated` in a copy of the repository, this one unless given, if its sources or the folder have changed. */
export function generate(root?: string): Promise<void>;
