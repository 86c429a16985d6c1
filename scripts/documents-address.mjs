/**
 * Gives the address of a document, with PAGE for its path in `docs` without its ending: on the site that a package
 * names as its homepage, or else in its repository. Undefined if it names neither.
 */
export function documentsAddress({ homepage, repository }) {
  if (homepage !== undefined) return `${homepage.replace(/\/$/, "")}/PAGE.html`;
  const url = typeof repository === "string" ? repository : repository?.url;
  const [, host, path] = /^(?:git\+)?https:\/\/([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url ?? "") ?? [];
  if (host === undefined) return undefined;
  return `https://${host}/${path}/${host === "github.com" ? "" : "-/"}blob/HEAD/docs/PAGE.md`;
}
