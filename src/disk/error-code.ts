/** Gives the code of what a file operation threw, such as `ENOENT`, for messages; `error` where it has none. */
export function errorCode(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : "error";
}
