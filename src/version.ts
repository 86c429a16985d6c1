declare const AGENTFORM_VERSION: string | undefined;

/** The version of this build; sources that were never built have none. */
export const version = typeof AGENTFORM_VERSION === "string" ? AGENTFORM_VERSION : "0.0.0-source";
