import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { error, type Finding } from "../core/finding/diagnostic.js";
import { errorCode } from "../disk/error-code.js";

/** A text that should hold certificates holds none, or one that is damaged. */
class CertificateError extends Error {
  override readonly name = "CertificateError";
}

/**
 * Gives the certificates to trust when those of a PEM text are added to the usual ones: Node's own and those of
 * NODE_EXTRA_CA_CERTS, which Node leaves out as soon as it is told any others.
 * @throws CertificateError
 */
export function trustWith(pem: string): string[] {
  return [...rootCertificates, ...extraCertificates(), ...certificatesIn(pem)];
}

/** Finds what is wrong with a file of certificates, which messages call as the user did. */
export function checkCertificateFile(file: string, called = file): Finding[] {
  const hint = "give a PEM file with `-----BEGIN CERTIFICATE-----`";
  try {
    certificatesIn(readFileSync(file, "utf8"));
    return [];
  } catch (cause) {
    const message =
      cause instanceof CertificateError
        ? `\`${called}\` ${cause.message}`
        : `\`${called}\` cannot be read (${errorCode(cause)})`;
    return [error("certificate-invalid", undefined, message, hint)];
  }
}

function certificatesIn(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (found.length === 0) throw new CertificateError("holds no certificate");
  found.forEach((text, index) => {
    if (!isCertificate(text))
      throw new CertificateError(`holds a damaged certificate, the ${index + 1}. of it`);
  });
  return found;
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== null;
  } catch {
    return false;
  }
}

// Node itself warns of a file that it cannot use, and goes on without.
function extraCertificates(): string[] {
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  if (file === undefined || file === "") return [];
  try {
    return certificatesIn(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}
