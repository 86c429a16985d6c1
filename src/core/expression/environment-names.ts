import { isExpression, parseEnvironmentLocator, parseText } from "./expression.js";

/** The names of the environment variables in a symbolic text. */
export function environmentNames(text: string): string[] {
  if (!text.includes("${env:")) return [];
  return parseText(text).flatMap((part) => {
    const locator =
      isExpression(part) && part.scheme === "env" ? parseEnvironmentLocator(part.locator) : undefined;
    return locator ? [locator.name] : [];
  });
}
