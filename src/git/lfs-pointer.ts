// With blanks around it, and with the addresses that its text had earlier; no more than its first 1,024 bytes are looked at.
const start = /^[\s\x85]*version https?:\/\/(?:git-lfs\.github\.com|hawser\.github\.com|git-media\.io)\//;

/** Whether a text is what Git LFS takes for a pointer to a file. */
export function isLfsPointer(text: string): boolean {
  return start.test(text.slice(0, 1024));
}
