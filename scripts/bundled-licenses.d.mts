/** What of esbuild's metafile says which files gave code to a bundle. */
interface BundledFiles {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/**
 * Renders the licences of all packages that gave code to a bundle, sorted by name.
 * @throws where a package has neither a licence nor a text of one
 */
export function renderLicenses(home: string, metafiles: readonly BundledFiles[]): string;
