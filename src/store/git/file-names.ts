/** The names of the files of a commit that keeps a state. */
export const fileNames = { lock: "lock.json", journal: "journal", holder: "holder.json" } as const;
