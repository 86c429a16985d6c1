// Generated from schemas/*.schema.json; do not edit.

/** The names of the kinds: the prefixes of addresses, and the schemes of references. */
export type KindName = "agent" | "credential" | "policy" | "toolset";

/** The kinds as documents name them. */
export type DocumentKind = "Agent" | "Credential" | "Policy" | "ToolSet";
