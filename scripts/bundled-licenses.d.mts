import type { BundledFiles } from "./bundled-packages.mjs";

/**
 * Renders the licences of all packages that gave code to a bundle, sorted by name.
 * @throws where a package has neither a licence nor a text of one
 */
export function renderLicenses(home: string, metafiles: readonly BundledFiles[]): string;
