import { bare, say } from "../core/finding/said.js";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { error, type Finding } from "../core/finding/diagnostic.js";
import { errorCode } from "../disk/error-code.js";
import { unlessFailing } from "../disk/unless-failing.js";

/** A PEM text without a certificate, or with a damaged one. */
class CertificateError extends Error {}

/** Adds a PEM text to the default certificates and NODE_EXTRA_CA_CERTS, else ignored; throws CertificateError. */
export function trustWith(pem: string): string[] {
  return [...rootCertificates, ...extraCertificates(), ...certificatesIn(pem)];
}

/** What to do about a file of certificates that cannot be used. */
export const certificateHint = "give a PEM file with `-----BEGIN CERTIFICATE-----`";

/** Finds the problems of a file of certificates; `called` is how messages name it. */
export function checkCertificateFile(file: string, called = file): Finding[] {
  try {
    certificatesIn(readFileSync(file, "utf8"));
    return [];
  } catch (cause) {
    const message =
      cause instanceof CertificateError
        ? say`\`${bare({ file: called })}\` ${cause.message}`
        : say`\`${bare({ file: called })}\` cannot be read (${bare({ reason: errorCode(cause) })})`;
    return [error("certificate-invalid", undefined, message, certificateHint)];
  }
}

function certificatesIn(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new CertificateError("contains no certificate");
  found.forEach((text, index) => {
    if (!isCertificate(text))
      throw new CertificateError(`contains a damaged certificate (number ${index + 1})`);
  });
  return found;
}

function isCertificate(text: string): boolean {
  return unlessFailing(() => new X509Certificate(text)) !== undefined;
}

// Node itself warns about a file that it cannot use, and goes on without it.
function extraCertificates(): string[] {
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  if (file === undefined || file === "") return [];
  return unlessFailing(() => certificatesIn(readFileSync(file, "utf8"))) ?? [];
}
