/** Renders docs/reference/diagnostics.md of the repository in a folder as a page; each code is the anchor of its heading. */
export declare function renderDiagnosticsPage(home: string): string;
