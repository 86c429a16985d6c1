/** Gives the address of a document, with PAGE for its path without its ending; undefined if the package names none. */
export function documentsAddress(fields: {
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}): string | undefined;
