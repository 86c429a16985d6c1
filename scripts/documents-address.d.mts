/** Gives the address of the folder `docs` in the repository that a package names; undefined if it names none. */
export function documentsAddress(fields: {
  readonly repository?: string | { readonly url: string };
}): string | undefined;
