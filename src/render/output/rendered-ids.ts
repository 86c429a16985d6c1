import type { Finding } from "../../core/finding/diagnostic.js";

/** The text of a file of IDs, or why a form cannot hold them. */
export type RenderedIds = { readonly text: string } | { readonly findings: readonly Finding[] };
