/** The name of the manifest's file. */
export const manifestFile = "agentform.yaml";
