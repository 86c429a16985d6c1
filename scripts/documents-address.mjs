/** Gives the address of the folder `docs` in the repository that a package names; undefined if it names none. */
export function documentsAddress({ repository }) {
  const url = typeof repository === "string" ? repository : repository?.url;
  const [, host, path] = /^(?:git\+)?https:\/\/([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url ?? "") ?? [];
  if (host === undefined) return undefined;
  return `https://${host}/${path}/${host === "github.com" ? "" : "-/"}blob/HEAD/docs`;
}
