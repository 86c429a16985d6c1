import { environmentName } from "../core/resources/environment-name.js";

/** The folder with the patches of environments. */
export const environmentsFolder = "environments";

/** Gives the folder with the patches of an environment. */
export function patchFolder(environment: string | null): string {
  return `${environmentsFolder}/${environmentName(environment)}`;
}

/** Whether a name is that of a file with documents. */
export function isDocumentName(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}

/** Whether a name is that of a JSON file. */
export function isJsonName(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Whether a name is that of a JSON file, or of a YAML file that an editor of texts has given its own ending. */
export function isNearlyDocumentName(name: string): boolean {
  return isJsonName(name) || /\.ya?ml\.txt$/i.test(name);
}

/** Whether a file or folder is never looked into. */
export function isLeftOut(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}
