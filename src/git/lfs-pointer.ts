/** Whether a text is what Git LFS has in the place of a file. */
export function isLfsPointer(text: string): boolean {
  return text.startsWith("version https://git-lfs.github.com/spec/");
}
