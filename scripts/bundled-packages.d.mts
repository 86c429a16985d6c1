/** What of esbuild's metafile says which files gave code to a bundle. */
export interface BundledFiles {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}
