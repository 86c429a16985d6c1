/** Whether a request that ended with a fault may succeed later: not if a certificate or a proxy refuses it. */
export function isPassingFault(code: string): boolean {
  return !/CERT|SIGNATURE|ISSUER|TLS|SSL|^PROXY_4/.test(code);
}

/** Whether a fault means that the server's certificate is not trusted. */
export function isOfCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER/.test(code);
}
