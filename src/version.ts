declare const AGENTFORM_VERSION: string | undefined;

/** The version of this build; `0.0.0-source` if it runs from sources. */
export const version = typeof AGENTFORM_VERSION === "string" ? AGENTFORM_VERSION : "0.0.0-source";
