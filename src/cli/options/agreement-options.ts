import type { Command } from "commander";

/** The options by which somebody agrees beforehand. */
export interface AgreementFlags {
  readonly yes?: boolean;
  readonly expect?: string;
}

/** Adds the options by which somebody agrees beforehand to what a command changes. */
export function addAgreementOptions(command: Command): void {
  command
    .option("--yes", "agree to whatever there is to do; do not ask")
    .option(
      "--expect <digest>",
      "agree to what has this digest, and refuse everything else; do not ask",
      readDigest,
    );
}

/** Reads a digest as it may be typed or copied: its digits alone, in capitals, or with blanks around it. */
export function readDigest(given: string): string {
  const [, digits] = /^\s*(?:sha256:)?([0-9a-f]{64})\s*$/i.exec(given) ?? [];
  return digits === undefined ? given : `sha256:${digits.toLowerCase()}`;
}

/** Reads the options by which somebody agrees beforehand. */
export function readAgreement({ yes, expect }: AgreementFlags): AgreementFlags {
  return { yes: yes === true, ...(expect !== undefined && { expect }) };
}
