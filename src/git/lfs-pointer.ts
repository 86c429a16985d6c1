/** Whether a text is what Git LFS has in the place of a file; a pointer has fewer than 1,024 bytes, and a lock is not put together to be looked at. */
export function isLfsPointer(text: string): boolean {
  return text.length < 1024 && text.startsWith("version https://git-lfs.github.com/spec/");
}
