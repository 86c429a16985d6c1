import type { Page } from "../src/cli/help/page.js";

/** A page of the manual by its name and section: 1 for commands, 7 for topics. */
export interface ManPage {
  readonly name: string;
  readonly section: 1 | 7;
}

/** Renders a page of the help as a page of the manual, with the pages to see also. */
export function renderManPage(page: Page, section: ManPage["section"], related: readonly ManPage[]): string;

/** Gives the name of a page of the manual: `agentform-lock-show`. */
export function pageName(name: string): string;
