/** Whether a file, or a folder that has it, is in a set. */
export function isWithinAny(files: ReadonlySet<string>, file: string): boolean {
  if (files.size === 0) return false;
  for (let end = file.indexOf("/"); end !== -1; end = file.indexOf("/", end + 1)) {
    if (files.has(file.slice(0, end))) return true;
  }
  return files.has(file);
}
